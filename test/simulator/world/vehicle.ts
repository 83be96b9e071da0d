/** What part a camera plays in the demo fleet's story. */
export type Story = 'ordinary' | 'collision' | 'wifi' | 'offline' | 'no_card' | 'unsupported';

/** Names one day of one vehicle in the books, which several simulations of the same seed and start share. */
export function vehicleDayKey(vehicle: Vehicle, localDay: number): string {
  return `${vehicle.psn}:${vehicle.activeFromMs}:${vehicle.activeUntilMs}:${localDay}`;
}

/** The physical side of a camera: what the world needs to know to move it around and fill its card. */
export interface Vehicle {
  readonly psn: string;
  readonly story: Story;
  readonly home: { readonly column: number; readonly row: number };
  readonly hasOptionCamera: boolean;
  /** No trips, events or recordings before this instant. */
  readonly activeFromMs: number;
  /** The camera's last contact with the world (a collision, a fault); null while in service. */
  readonly activeUntilMs: number | null;
}
