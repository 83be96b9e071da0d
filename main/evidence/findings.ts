import type { VerifyCheck } from '../../shared/contract/packages.ts';
import { shown } from './containerReader.ts';

/** Collects what is wrong under one check. Names each file, and stays readable when there are thousands. */
export class Findings {
  readonly name: string;
  private readonly problems: string[] = [];
  private dropped = 0;

  constructor(name: string) {
    this.name = name;
  }

  add(problem: string): void {
    if (this.problems.length < 100) this.problems.push(problem);
    else this.dropped++;
  }

  /** `path` is shown with control characters escaped. */
  file(path: string, problem: string): void {
    this.add(`${shown(path)} ${problem}`);
  }

  get isClean(): boolean {
    return this.problems.length === 0;
  }

  /** `whenClean` says what was found to be right. */
  toCheck(whenClean: string): VerifyCheck {
    if (this.isClean) return { name: this.name, ok: true, detail: whenClean };
    const more = this.dropped === 0 ? '' : `; and ${this.dropped} more`;
    return { name: this.name, ok: false, detail: this.problems.join('; ') + more };
  }
}
