/**
 * Reads coordinates as people paste them: "52.1042, 4.3012", "52.1042 4.3012", "52,1042; 4,3012", "52.1N 4.3W".
 * Null when it is not one latitude and one longitude in degrees. Pure.
 */
export function parsePlace(text: string): { latDeg: number; lngDeg: number } | null {
  const trimmed = text.trim();
  const isDecimalComma = /\d,\d+\s*[;\s]\s*[-+]?\d+,\d/.test(trimmed) && !trimmed.includes('.');
  const plain = isDecimalComma ? trimmed.replaceAll(',', '.') : trimmed;
  const match = /^([-+]?\d+(?:\.\d+)?)\s*°?\s*([NS])?\s*[,;\s]\s*([-+]?\d+(?:\.\d+)?)\s*°?\s*([EW])?$/i.exec(
    plain,
  );
  if (!match) return null;
  const latDeg = Number(match[1]) * (match[2]?.toUpperCase() === 'S' ? -1 : 1);
  const lngDeg = Number(match[3]) * (match[4]?.toUpperCase() === 'W' ? -1 : 1);
  if (Math.abs(latDeg) > 90 || Math.abs(lngDeg) > 180) return null;
  return { latDeg, lngDeg };
}
