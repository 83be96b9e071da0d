declare module 'tz-lookup' {
  /** IANA zone of a place; throws RangeError for coordinates that are none. */
  export default function tzLookup(latDeg: number, lngDeg: number): string;
}
