/** A wrong command line: exit 2, with the message and how it should have been. */
export class UsageError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'UsageError';
  }
}

/** What an option takes. `flag`: nothing; `value`: one text; `list`: one text, and it may be given again. */
export type OptionKind = 'flag' | 'value' | 'list';

export interface Arguments {
  readonly positionals: readonly string[];
  has(flag: string): boolean;
  value(option: string): string | undefined;
  list(option: string): readonly string[];
}

/**
 * Reads `--name value`, `--name=value`, flags, and `--` before positionals that look like options. A token
 * that begins with a minus and a digit is a positional or a value ("-33.86,151.21" is a place). Written here
 * rather than taken from a package because the command line must be up in a few milliseconds.
 */
export function parseArguments(
  tokens: readonly string[],
  options: Readonly<Record<string, OptionKind>>,
): Arguments {
  const positionals: string[] = [];
  const flags = new Set<string>();
  const values = new Map<string, string[]>();
  for (let i = 0; i < tokens.length; i++) {
    const token = tokens[i]!;
    if (token === '--') {
      positionals.push(...tokens.slice(i + 1));
      break;
    }
    if (!token.startsWith('-') || token === '-' || /^-[\d.]/.test(token)) {
      positionals.push(token);
      continue;
    }
    const equals = token.indexOf('=');
    const name = equals < 0 ? token : token.slice(0, equals);
    const kind = Object.hasOwn(options, name) ? options[name]! : undefined;
    if (kind === undefined) throw new UsageError(`Unknown option ${name}.`);
    if (kind === 'flag') {
      if (equals >= 0) throw new UsageError(`${name} takes no value.`);
      flags.add(name);
      continue;
    }
    const value = equals < 0 ? tokens[++i] : token.slice(equals + 1);
    if (value === undefined || value === '') throw new UsageError(`${name} needs a value.`);
    if (equals < 0 && value.startsWith('--')) throw new UsageError(`${name} needs a value.`);
    const given = values.get(name) ?? [];
    if (kind === 'value' && given.length > 0) throw new UsageError(`${name} is given twice.`);
    values.set(name, [...given, value]);
  }
  return {
    positionals,
    has: (flag) => flags.has(flag),
    value: (option) => values.get(option)?.[0],
    list: (option) => values.get(option) ?? [],
  };
}
