/** What part a camera plays in the demo fleet's story. */
export type Story = 'ordinary' | 'collision' | 'wifi' | 'offline' | 'no_card' | 'unsupported';

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
