/** What GPX and KML readers share: bytes through the encoding and the tokenizer to a handler. */
import { ReaderRefusal } from './reader.ts';
import type { ReadReport, TrackReader } from './reader.ts';
import { XmlInput } from './xmlInput.ts';
import { XmlTokenizer } from './xmlTokenizer.ts';
import type { XmlHandler } from './xmlTokenizer.ts';

/** What the handler has read so far. */
export interface XmlFindings {
  readonly points: number;
  readonly report: ReadReport;
}

export class XmlReader implements TrackReader {
  readonly tokenizer: XmlTokenizer;
  private readonly findings: XmlFindings;
  private readonly input = new XmlInput();
  private refusal: ReaderRefusal | null = null;

  constructor(handler: XmlHandler, findings: XmlFindings) {
    this.tokenizer = new XmlTokenizer(handler);
    this.findings = findings;
  }

  get points(): number {
    return this.findings.points;
  }

  get report(): ReadReport {
    return this.findings.report;
  }

  push(chunk: Uint8Array): void {
    this.guard(() => {
      const bytes = this.input.push(chunk);
      if (bytes.length > 0) this.tokenizer.push(bytes);
    });
  }

  end(): void {
    this.guard(() => {
      const bytes = this.input.end();
      if (bytes.length > 0) this.tokenizer.push(bytes);
      this.tokenizer.end();
    });
  }

  /** A refused file stays refused. */
  private guard(work: () => void): void {
    if (this.refusal) throw this.refusal;
    try {
      work();
    } catch (thrown) {
      if (thrown instanceof ReaderRefusal) this.refusal = thrown;
      throw thrown;
    }
  }
}
