/** A start tag taken apart: name, namespace and attributes as byte ranges, checked for well-formedness. */
import { utf8Text } from './encoding.ts';
import { refusals } from './reasons.ts';
import type { NameCache, NamespaceScope, XmlName } from './xmlNames.ts';
import { referenceText, xmlCharLength } from './xmlText.ts';

export const maxAttributes = 64;

export class XmlAttribute {
  name!: XmlName;
  /** '' for attributes without prefix, as XML has it. */
  namespace = '';
  /** The value between the quotes, references not replaced. */
  from = 0;
  to = 0;
  hasReference = false;
}

function isSpace(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}

export class XmlStartTag {
  name!: XmlName;
  namespace = '';
  isEmpty = false;
  lineFeeds = 0;
  attributeCount = 0;
  readonly attributes: XmlAttribute[] = [];
  bytes: Uint8Array = new Uint8Array(0);
  faultAt = 0;
  private readonly names: NameCache;
  private readonly scope: NamespaceScope;

  constructor(names: NameCache, scope: NamespaceScope) {
    this.names = names;
    this.scope = scope;
  }

  /** Reads the tag from `<` at `at` to `>` at `end`, for the element at `depth`; null or what is wrong. */
  read(bytes: Uint8Array, at: number, end: number, depth: number): string | null {
    this.bytes = bytes;
    this.attributeCount = 0;
    this.lineFeeds = 0;
    this.faultAt = at;
    this.isEmpty = bytes[end - 1] === 0x2f;
    const to = this.isEmpty ? end - 1 : end;
    let place = at + 1;
    while (place < to && !isSpace(bytes[place])) place++;
    const name = this.names.get(bytes, at + 1, place);
    if (name === null) return refusals.xmlBadTag;
    this.name = name;
    for (;;) {
      const gap = place;
      while (place < to && isSpace(bytes[place])) {
        if (bytes[place] === 0x0a) this.lineFeeds++;
        place++;
      }
      if (place === to) break;
      this.faultAt = place;
      if (place === gap) return refusals.xmlBadTag;
      if (this.attributeCount === maxAttributes) return refusals.xmlTooManyAttributes;
      place = this.readAttribute(bytes, place, to);
      if (place < 0) return this.fault;
    }
    return this.resolve(depth);
  }

  private fault = '';

  private fail(place: number, fault: string): number {
    this.faultAt = place;
    this.fault = fault;
    return -1;
  }

  private readAttribute(bytes: Uint8Array, at: number, to: number): number {
    let place = at;
    while (place < to && bytes[place] !== 0x3d && !isSpace(bytes[place])) place++;
    const name = this.names.get(bytes, at, place);
    if (name === null) return this.fail(at, refusals.xmlBadTag);
    for (; place < to && isSpace(bytes[place]); place++) if (bytes[place] === 0x0a) this.lineFeeds++;
    if (bytes[place] !== 0x3d) return this.fail(at, refusals.xmlBadTag);
    place++;
    for (; place < to && isSpace(bytes[place]); place++) if (bytes[place] === 0x0a) this.lineFeeds++;
    const quote = bytes[place];
    if (place >= to || (quote !== 0x22 && quote !== 0x27)) return this.fail(at, refusals.xmlBadTag);
    place++;
    let attribute = this.attributes[this.attributeCount];
    if (attribute === undefined) this.attributes.push((attribute = new XmlAttribute()));
    attribute.name = name;
    attribute.from = place;
    attribute.hasReference = false;
    while (place < to && bytes[place] !== quote) {
      const byte = bytes[place]!;
      if (byte === 0x3c) return this.fail(place, refusals.xmlLessThanInValue);
      if (byte === 0x26) {
        const end = bytes.indexOf(0x3b, place);
        if (
          end < 0 ||
          end > to ||
          referenceText(utf8Text(bytes, place + 1, Math.min(end, place + 16))) === null
        ) {
          return this.fail(place, refusals.xmlReference);
        }
        attribute.hasReference = true;
        place = end + 1;
        continue;
      }
      const length = xmlCharLength(bytes, place, to);
      if (length <= 0) return this.fail(place, refusals.xmlIllegalCharacter);
      if (byte === 0x0a) this.lineFeeds++;
      place += length;
    }
    if (place >= to) return this.fail(at, refusals.xmlBadTag);
    attribute.to = place;
    this.attributeCount++;
    return place + 1;
  }

  /** Binds the namespaces that the tag declares and resolves its names. */
  private resolve(depth: number): string | null {
    const { attributes, attributeCount, scope } = this;
    let hasPrefixes = false;
    for (let i = 0; i < attributeCount; i++) {
      const { name } = attributes[i]!;
      for (let k = 0; k < i; k++) {
        if (attributes[k]!.name.qualified === name.qualified) return refusals.xmlTwiceAttribute;
      }
      if (name.qualified === 'xmlns') {
        if (!scope.bind('', this.valueOf(attributes[i]!), depth)) return refusals.xmlNamespace;
      } else if (name.prefix === 'xmlns') {
        if (!scope.bind(name.local, this.valueOf(attributes[i]!), depth)) return refusals.xmlNamespace;
      } else if (name.prefix !== '') hasPrefixes = true;
    }
    const namespace = this.name.prefix === 'xmlns' ? null : scope.resolve(this.name.prefix);
    if (namespace === null) return refusals.xmlNamespace;
    this.namespace = namespace;
    for (let i = 0; i < attributeCount; i++) {
      const attribute = attributes[i]!;
      const { name } = attribute;
      attribute.namespace = '';
      if (name.prefix === '' || name.prefix === 'xmlns' || !hasPrefixes) continue;
      const resolved = scope.resolve(name.prefix);
      if (resolved === null) return refusals.xmlNamespace;
      attribute.namespace = resolved;
      for (let k = 0; k < i; k++) {
        if (attributes[k]!.namespace === resolved && attributes[k]!.name.local === name.local) {
          return refusals.xmlTwiceAttribute;
        }
      }
    }
    return null;
  }

  /** The attribute without a prefix of that name, or null. */
  find(local: string): XmlAttribute | null {
    for (let i = 0; i < this.attributeCount; i++) {
      if (this.attributes[i]!.name.qualified === local) return this.attributes[i]!;
    }
    return null;
  }

  /** An attribute's value with references replaced and white space made spaces. */
  valueOf(attribute: XmlAttribute): string {
    const text = utf8Text(this.bytes, attribute.from, attribute.to).replace(/\r\n|[\t\n\r]/g, ' ');
    if (!attribute.hasReference) return text;
    return text.replace(/&([^;]*);/g, (_, name: string) => referenceText(name) ?? '');
  }
}
