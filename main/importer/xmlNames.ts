/** Names of elements and attributes, interned by their bytes, and the namespaces in scope. */
import { utf8Text } from './encoding.ts';
import { isQualifiedName } from './xmlText.ts';

export interface XmlName {
  /** As written, with prefix. */
  readonly qualified: string;
  readonly prefix: string;
  readonly local: string;
}

/** An element for a message, with the namespace that makes it something else than its name says. */
export function elementText(element: { readonly name: XmlName; readonly namespace: string }): string {
  const { name, namespace } = element;
  return `<${name.qualified}>${namespace === '' ? '' : ` of the namespace "${namespace.slice(0, 200)}"`}`;
}

interface Known {
  readonly bytes: Uint8Array;
  readonly name: XmlName;
}

/** Gives the same object for the same bytes without making a string of them again. */
export class NameCache {
  private readonly slots = new Array<Known | undefined>(256);

  /** The name in bytes [from, to), or null where that is no name. */
  get(bytes: Uint8Array, from: number, to: number): XmlName | null {
    const length = to - from;
    if (length === 0) return null;
    const slot = (length * 31 + bytes[from]! * 7 + bytes[to - 1]! * 13 + bytes[from + (length >> 1)]!) & 255;
    const known = this.slots[slot];
    if (known && known.bytes.length === length) {
      let k = 0;
      while (k < length && known.bytes[k] === bytes[from + k]) k++;
      if (k === length) return known.name;
    }
    const qualified = utf8Text(bytes, from, to);
    if (!isQualifiedName(qualified)) return null;
    const colon = qualified.indexOf(':');
    const name: XmlName = {
      qualified,
      prefix: colon < 0 ? '' : qualified.slice(0, colon),
      local: qualified.slice(colon + 1),
    };
    if (length <= 256) this.slots[slot] = { bytes: bytes.slice(from, to), name };
    return name;
  }
}

const xmlNamespace = 'http://www.w3.org/XML/1998/namespace';
const xmlnsNamespace = 'http://www.w3.org/2000/xmlns/';

/** Prefixes bound by the elements that are open. */
export class NamespaceScope {
  private readonly prefixes: string[] = ['xml'];
  private readonly uris: string[] = [xmlNamespace];
  private readonly depths: number[] = [0];

  /** Binds a prefix ('' for the default) for the element at `depth`; false where the binding is forbidden. */
  bind(prefix: string, uri: string, depth: number): boolean {
    if (prefix === 'xmlns' || uri === xmlnsNamespace) return false;
    if ((prefix === 'xml') !== (uri === xmlNamespace)) return false;
    if (prefix !== '' && uri === '') return false;
    this.prefixes.push(prefix);
    this.uris.push(uri);
    this.depths.push(depth);
    return true;
  }

  /** Forgets what the element at `depth` bound. */
  leave(depth: number): void {
    while (this.depths[this.depths.length - 1]! >= depth) {
      this.prefixes.pop();
      this.uris.pop();
      this.depths.pop();
    }
  }

  /** The namespace of a prefix ('' where the default is none), or null where it is not bound. */
  resolve(prefix: string): string | null {
    for (let i = this.prefixes.length - 1; i >= 0; i--) {
      if (this.prefixes[i] === prefix) return this.uris[i]!;
    }
    return prefix === '' ? '' : null;
  }
}
