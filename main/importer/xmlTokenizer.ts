/**
 * A strict, streaming XML 1.0 tokenizer with namespaces, over UTF-8 bytes (see xmlInput.ts for other encodings).
 * It never resolves an entity beyond the five predefined ones and character references, refuses document types
 * that declare or fetch anything, and bounds depth, attributes and the size of a tag. Character data is handed
 * on in pieces and is never collected here. Each violation is a ReaderRefusal with the line (counted by line feeds).
 */
import { Carry } from './carry.ts';
import { utf8Text } from './encoding.ts';
import { ReaderRefusal } from './reader.ts';
import { refusals } from './reasons.ts';
import { NameCache, NamespaceScope } from './xmlNames.ts';
import type { XmlName } from './xmlNames.ts';
import { XmlStartTag } from './xmlStartTag.ts';
import { findIllegal, isPlainName, referenceText, xmlCharLength } from './xmlText.ts';

const maxDepth = 64;
/** Of a tag, comment or processing instruction; text may be of any length. */
const maxTokenBytes = 1 << 20;
const maxReferenceBytes = 16;

const LT = 0x3c;
const GT = 0x3e;
const AMP = 0x26;
const BRACKET = 0x5d;

/** An element that is open. */
export interface XmlElement {
  name: XmlName;
  /** '' where there is none. */
  namespace: string;
}

export interface XmlHandler {
  /** `tag` is reused: its content is valid during the call. */
  startElement(element: XmlElement, tag: XmlStartTag): void;
  endElement(element: XmlElement): void;
  /** A piece of character data in UTF-8, references replaced, line ends as in the file. */
  text(bytes: Uint8Array, from: number, to: number): void;
}

/**
 * Reads content by itself from `at` on and returns how far it got (`at` where it can't). It must consume only
 * whole, well-formed content without changing what is open, and add the line feeds it passed to `line`.
 */
export type QuickPath = (bytes: Uint8Array, at: number, to: number) => number;

// 1: plain character data without meaning to the tokenizer.
const isPlainText = new Uint8Array(256);
for (let byte = 0x20; byte < 0x80; byte++) isPlainText[byte] = 1;
isPlainText[0x09] = 1;
isPlainText[0x0d] = 1;
isPlainText[LT] = 0;
isPlainText[AMP] = 0;
isPlainText[BRACKET] = 0;

function isSpace(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}

export class XmlTokenizer {
  /** Line at the place being read. */
  line = 1;
  /** Tried wherever content goes on inside an element; set by the handler. */
  quick: QuickPath | null = null;
  /** Place of the tag being handled in the bytes of this turn; `turn` changes when places lose their meaning. */
  tokenFrom = 0;
  tokenTo = 0;
  turn = 0;
  depth = 0;
  /** The bytes of this turn. */
  bytes: Uint8Array = new Uint8Array(0);
  private readonly handler: XmlHandler;
  private readonly carry = new Carry();
  private readonly names = new NameCache();
  private readonly scope = new NamespaceScope();
  private readonly tag: XmlStartTag;
  private readonly open: XmlElement[] = [];
  private isInCdata = false;
  private hasRoot = false;
  private hasDoctype = false;
  private isAtStart = true;
  /** How far the end of the token under way was looked for, and the quote that was open there. */
  private searched = 0;
  private quote = 0;

  constructor(handler: XmlHandler) {
    this.handler = handler;
    this.tag = new XmlStartTag(this.names, this.scope);
  }

  push(chunk: Uint8Array): void {
    this.carry.add(chunk);
    this.turn++;
    this.run(false);
  }

  end(): void {
    this.carry.add(new Uint8Array(0));
    this.turn++;
    const at = this.run(true);
    const { bytes, to } = this.carry;
    if (at < to) this.refuse(bytes, at, to, refusals.xmlTruncated);
    if (this.depth > 0) {
      const { qualified } = this.open[this.depth - 1]!.name;
      throw new ReaderRefusal(`line ${this.line}`, `${refusals.xmlTruncated}, inside <${qualified}>`);
    }
    if (!this.hasRoot) throw new ReaderRefusal(`line ${this.line}`, refusals.xmlNoRoot);
  }

  /** Refuses the file at `place` of the token that starts at `from`. */
  private refuse(bytes: Uint8Array, from: number, place: number, message: string): never {
    throw new ReaderRefusal(`line ${this.line + countLineFeeds(bytes, from, place)}`, message);
  }

  private run(isLast: boolean): number {
    const { carry } = this;
    const { bytes, to } = carry;
    let at = carry.from;
    this.bytes = bytes;
    while (at < to) {
      let next: number;
      if (this.isInCdata) next = this.readCdata(bytes, at, to);
      else {
        if (this.quick !== null) {
          const reached = this.quick(bytes, at, to);
          if (reached !== at) {
            // A tag that was cut by the end of the turn before may have been read whole by the quick path.
            this.searched = 0;
            this.quote = 0;
            at = reached;
            if (at >= to) break;
          }
        }
        if (bytes[at] === LT) next = this.readMarkup(bytes, at, to);
        else if (this.depth > 0) next = this.readText(bytes, at, to, isLast);
        else next = this.readBetween(bytes, at, to);
      }
      if (next < 0) {
        if (to - at > maxTokenBytes) this.refuse(bytes, at, at, refusals.xmlTokenTooLong);
        break;
      }
      this.isAtStart = false;
      at = next;
    }
    carry.keepFrom(at);
    return at;
  }

  /** White space before and after the root. */
  private readBetween(bytes: Uint8Array, at: number, to: number): number {
    while (at < to && bytes[at] !== LT) {
      if (!isSpace(bytes[at])) this.refuse(bytes, at, at, refusals.xmlTextOutside);
      if (bytes[at] === 0x0a) this.line++;
      at++;
    }
    return at;
  }

  /** Character data; returns where it stopped, or -1 where more bytes are needed to go on at all. */
  private readText(bytes: Uint8Array, from: number, to: number, isLast: boolean): number {
    let at = from;
    while (at < to) {
      const byte = bytes[at]!;
      if (isPlainText[byte] === 1) at++;
      else if (byte === 0x0a) {
        this.line++;
        at++;
      } else if (byte === LT || byte === AMP) break;
      else if (byte === BRACKET) {
        if (at + 2 >= to && !isLast) break;
        if (bytes[at + 1] === BRACKET && bytes[at + 2] === GT) {
          this.refuse(bytes, at, at, refusals.xmlCdataEnd);
        }
        at++;
      } else {
        const length = xmlCharLength(bytes, at, to);
        if (length === 0) this.refuse(bytes, at, at, refusals.xmlIllegalCharacter);
        if (length < 0) break;
        at += length;
      }
    }
    if (at > from) {
      this.handler.text(bytes, from, at);
      return at;
    }
    return bytes[at] === AMP ? this.readReference(bytes, at, to) : -1;
  }

  private readReference(bytes: Uint8Array, at: number, to: number): number {
    let end = at + 1;
    while (end < to && isReferenceByte(bytes[end]!) && end - at < maxReferenceBytes) end++;
    if (end === to && end - at < maxReferenceBytes) return -1;
    const text = bytes[end] === 0x3b ? referenceText(utf8Text(bytes, at + 1, end)) : null;
    if (text === null) this.refuse(bytes, at, at, refusals.xmlReference);
    const encoded = Buffer.from(text, 'utf8');
    this.handler.text(encoded, 0, encoded.length);
    return end + 1;
  }

  private readCdata(bytes: Uint8Array, from: number, to: number): number {
    let at = from;
    while (at < to) {
      const byte = bytes[at]!;
      if (byte === BRACKET) {
        if (at + 2 >= to) break;
        if (bytes[at + 1] === BRACKET && bytes[at + 2] === GT) {
          if (at > from) this.handler.text(bytes, from, at);
          this.isInCdata = false;
          return at + 3;
        }
        at++;
        continue;
      }
      const length = xmlCharLength(bytes, at, to);
      if (length === 0) this.refuse(bytes, at, at, refusals.xmlIllegalCharacter);
      if (length < 0) break;
      if (byte === 0x0a) this.line++;
      at += length;
    }
    if (at === from) return -1;
    this.handler.text(bytes, from, at);
    return at;
  }

  private readMarkup(bytes: Uint8Array, at: number, to: number): number {
    if (at + 1 >= to) return -1;
    const second = bytes[at + 1]!;
    if (second === 0x2f) return this.readEndTag(bytes, at, to);
    if (second === 0x3f) return this.readInstruction(bytes, at, to);
    if (second === 0x21) return this.readDeclaration(bytes, at, to);
    return this.readStartTag(bytes, at, to);
  }

  /** Place of the `>` that ends the tag at `at`, quotes respected; -1 where it has not come yet. */
  private findTagEnd(bytes: Uint8Array, at: number, to: number): number {
    let { quote } = this;
    let end = at + Math.max(1, this.searched);
    for (; end < to; end++) {
      const byte = bytes[end]!;
      if (quote !== 0) {
        if (byte === quote) quote = 0;
        // Said here already, so that a tag left open does not swallow the file up to the limit.
        else if (byte === LT) this.refuse(bytes, at, end, refusals.xmlLessThanInValue);
      } else if (byte === GT) {
        if (end - at > maxTokenBytes) break;
        this.searched = 0;
        this.quote = 0;
        return end;
      } else if (byte === 0x22 || byte === 0x27) quote = byte;
      else if (byte === LT) this.refuse(bytes, at, end, refusals.xmlBadTag);
    }
    if (end - at > maxTokenBytes) this.refuse(bytes, at, at, refusals.xmlTokenTooLong);
    this.searched = end - at;
    this.quote = quote;
    return -1;
  }

  private readStartTag(bytes: Uint8Array, at: number, to: number): number {
    const end = this.findTagEnd(bytes, at, to);
    if (end < 0) return -1;
    if (this.depth === 0 && this.hasRoot) this.refuse(bytes, at, at, refusals.xmlTwoRoots);
    if (this.depth >= maxDepth) this.refuse(bytes, at, at, refusals.xmlTooDeep);
    const { tag } = this;
    const fault = tag.read(bytes, at, end, this.depth + 1);
    if (fault !== null) this.refuse(bytes, at, tag.faultAt, fault);
    let element = this.open[this.depth];
    if (element === undefined) {
      element = { name: tag.name, namespace: tag.namespace };
      this.open.push(element);
    } else {
      element.name = tag.name;
      element.namespace = tag.namespace;
    }
    this.depth++;
    this.hasRoot = true;
    this.tokenFrom = at;
    this.tokenTo = end + 1;
    this.handler.startElement(element, tag);
    this.line += tag.lineFeeds;
    if (tag.isEmpty) this.close(element);
    return end + 1;
  }

  private close(element: XmlElement): void {
    this.handler.endElement(element);
    this.scope.leave(this.depth);
    this.depth--;
  }

  private readEndTag(bytes: Uint8Array, at: number, to: number): number {
    const end = this.findTagEnd(bytes, at, to);
    if (end < 0) return -1;
    let nameEnd = end;
    while (nameEnd > at + 2 && isSpace(bytes[nameEnd - 1])) nameEnd--;
    if (this.depth === 0) this.refuse(bytes, at, at, refusals.xmlMismatch);
    const element = this.open[this.depth - 1]!;
    const name = this.names.get(bytes, at + 2, nameEnd);
    if (name === null) this.refuse(bytes, at, at, refusals.xmlBadTag);
    if (name !== element.name && name.qualified !== element.name.qualified) {
      this.refuse(
        bytes,
        at,
        at,
        `${refusals.xmlMismatch}: </${name.qualified}> for <${element.name.qualified}>`,
      );
    }
    this.tokenFrom = at;
    this.tokenTo = end + 1;
    this.close(element);
    this.line += countLineFeeds(bytes, nameEnd, end);
    return end + 1;
  }

  /** Place after `terminator`, looked for from `skip` bytes into the token; -1 where it has not come yet. */
  private findEnd(bytes: Uint8Array, at: number, to: number, skip: number, terminator: string): number {
    const first = terminator.charCodeAt(0);
    const { length } = terminator;
    let place = at + Math.max(skip, this.searched);
    for (; place + length <= to; place++) {
      if (bytes[place] !== first) continue;
      let k = 1;
      while (k < length && bytes[place + k] === terminator.charCodeAt(k)) k++;
      if (k === length) {
        this.searched = 0;
        if (place - at > maxTokenBytes) this.refuse(bytes, at, at, refusals.xmlTokenTooLong);
        return place + length;
      }
    }
    this.searched = Math.max(skip, place - at);
    return -1;
  }

  private readInstruction(bytes: Uint8Array, at: number, to: number): number {
    const end = this.findEnd(bytes, at, to, 2, '?>');
    if (end < 0) return -1;
    const illegal = findIllegal(bytes, at, end);
    if (illegal >= 0) this.refuse(bytes, at, illegal, refusals.xmlIllegalCharacter);
    let nameEnd = at + 2;
    while (nameEnd < end - 2 && !isSpace(bytes[nameEnd])) nameEnd++;
    const target = utf8Text(bytes, at + 2, nameEnd);
    if (target.toLowerCase() === 'xml') {
      const text = utf8Text(bytes, at, end);
      if (!this.isAtStart || !declarationForm.test(text)) {
        this.refuse(bytes, at, at, refusals.xmlBadDeclaration);
      }
    } else if (!isPlainName(target)) this.refuse(bytes, at, at, refusals.xmlBadTag);
    this.line += countLineFeeds(bytes, at, end);
    return end;
  }

  private readDeclaration(bytes: Uint8Array, at: number, to: number): number {
    if (startsWith(bytes, at, to, '<!--')) return this.readComment(bytes, at, to);
    if (this.depth > 0 && startsWith(bytes, at, to, '<![CDATA[')) {
      this.isInCdata = true;
      return at + 9;
    }
    if (startsWith(bytes, at, to, '<!DOCTYPE')) return this.readDoctype(bytes, at, to);
    const seen = utf8Text(bytes, at, Math.min(to, at + 9));
    const couldBe = ['<!--', '<![CDATA[', '<!DOCTYPE'].some((form) => form.startsWith(seen));
    if (couldBe) return -1;
    return this.refuse(bytes, at, at, refusals.xmlBadTag);
  }

  private readComment(bytes: Uint8Array, at: number, to: number): number {
    const end = this.findEnd(bytes, at, to, 4, '--');
    if (end < 0) return -1;
    if (end >= to) {
      // Look at the two dashes again when the next byte is there.
      this.searched = end - 2 - at;
      return -1;
    }
    if (bytes[end] !== GT) this.refuse(bytes, at, end, refusals.xmlDashesInComment);
    const illegal = findIllegal(bytes, at, end);
    if (illegal >= 0) this.refuse(bytes, at, illegal, refusals.xmlIllegalCharacter);
    this.line += countLineFeeds(bytes, at, end);
    return end + 1;
  }

  /** `<!DOCTYPE name>` says nothing and is passed over; all other forms declare or fetch something. */
  private readDoctype(bytes: Uint8Array, at: number, to: number): number {
    if (this.hasRoot || this.hasDoctype) this.refuse(bytes, at, at, refusals.xmlBadTag);
    let end = at;
    while (end < to && bytes[end] !== GT) {
      if (bytes[end] === 0x5b || bytes[end] === 0x22 || bytes[end] === 0x27 || end - at > 1024) {
        this.refuse(bytes, at, at, refusals.xmlDoctype);
      }
      end++;
    }
    if (end === to) return -1;
    const text = utf8Text(bytes, at, end + 1);
    if (!/^<!DOCTYPE[\t\n\r ]+[^\t\n\r ]+[\t\n\r ]*>$/.test(text)) {
      this.refuse(bytes, at, at, refusals.xmlDoctype);
    }
    if (
      this.names.get(
        Buffer.from(text.slice(9, -1).trim()),
        0,
        Buffer.byteLength(text.slice(9, -1).trim()),
      ) === null
    ) {
      this.refuse(bytes, at, at, refusals.xmlBadTag);
    }
    this.hasDoctype = true;
    this.line += countLineFeeds(bytes, at, end);
    return end + 1;
  }
}

const declarationForm =
  /^<\?xml[\t\n\r ]+version[\t\n\r ]*=[\t\n\r ]*("1\.[0-9]+"|'1\.[0-9]+')([\t\n\r ]+encoding[\t\n\r ]*=[\t\n\r ]*("[A-Za-z][A-Za-z0-9._-]*"|'[A-Za-z][A-Za-z0-9._-]*'))?([\t\n\r ]+standalone[\t\n\r ]*=[\t\n\r ]*("(yes|no)"|'(yes|no)'))?[\t\n\r ]*\?>$/;

/** #, letters and digits. */
function isReferenceByte(byte: number): boolean {
  return byte === 0x23 || (byte >= 0x30 && byte <= 0x39) || (byte >= 0x41 && byte <= 0x7a);
}

function startsWith(bytes: Uint8Array, at: number, to: number, text: string): boolean {
  if (at + text.length > to) return false;
  for (let k = 0; k < text.length; k++) if (bytes[at + k] !== text.charCodeAt(k)) return false;
  return true;
}

function countLineFeeds(bytes: Uint8Array, from: number, to: number): number {
  let lineFeeds = 0;
  for (let at = from; at < to; at++) if (bytes[at] === 0x0a) lineFeeds++;
  return lineFeeds;
}
