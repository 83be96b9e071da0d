import fc from 'fast-check';
import { SaxesParser } from 'saxes';
import { describe, expect, it } from 'vitest';
import { ReaderRefusal } from '../../../main/importer/reader.ts';
import { refusals } from '../../../main/importer/reasons.ts';
import { XmlInput } from '../../../main/importer/xmlInput.ts';
import { XmlTokenizer } from '../../../main/importer/xmlTokenizer.ts';
import { SeededRandom } from '../corpus/random.ts';

type Event = string;

/** What our tokenizer says of a document: events as text, or the refusal. */
function tokens(bytes: Uint8Array, pieceSize = bytes.length): Event[] | ReaderRefusal {
  const events: Event[] = [];
  let text: Buffer[] = [];
  const flush = (): void => {
    const all = Buffer.concat(text).toString().replace(/\r\n?/g, '\n');
    if (all !== '') events.push(`text ${all}`);
    text = [];
  };
  const tokenizer = new XmlTokenizer({
    startElement(element, tag) {
      flush();
      const attributes = tag.attributes
        .slice(0, tag.attributeCount)
        .map((one) => `${one.name.qualified}{${one.namespace}}=${tag.valueOf(one)}`);
      events.push(`start ${element.name.qualified}{${element.namespace}} ${attributes.sort().join('|')}`);
    },
    endElement(element) {
      flush();
      events.push(`end ${element.name.qualified}`);
    },
    text(piece, from, to) {
      text.push(Buffer.from(piece.subarray(from, to)));
    },
  });
  const input = new XmlInput();
  try {
    for (let at = 0; at < bytes.length; at += pieceSize) {
      const piece = Uint8Array.from(bytes.subarray(at, at + pieceSize));
      tokenizer.push(input.push(piece));
      piece.fill(0x2a);
    }
    tokenizer.push(input.end());
    tokenizer.end();
  } catch (thrown) {
    if (!(thrown instanceof ReaderRefusal)) throw thrown;
    return thrown;
  }
  flush();
  return events;
}

/** The same from saxes; null where it finds a fault. */
function oracle(text: string): Event[] | null {
  const events: Event[] = [];
  let collected = '';
  let hasFault = false;
  const flush = (): void => {
    if (collected !== '') events.push(`text ${collected}`);
    collected = '';
  };
  const parser = new SaxesParser({ xmlns: true });
  parser.on('error', () => (hasFault = true));
  parser.on('opentag', (tag) => {
    flush();
    const attributes = Object.values(tag.attributes).map((one) => {
      const namespace = one.name === 'xmlns' || one.prefix === 'xmlns' ? '' : one.uri;
      return `${one.name}{${namespace}}=${one.value}`;
    });
    events.push(`start ${tag.name}{${tag.uri}} ${attributes.sort().join('|')}`);
  });
  parser.on('closetag', (tag) => {
    flush();
    events.push(`end ${tag.name}`);
  });
  parser.on('text', (piece) => (collected += events.length > 0 ? piece : ''));
  parser.on('cdata', (piece) => (collected += piece));
  try {
    parser.write(text).close();
  } catch {
    return null;
  }
  return hasFault ? null : events.map((event) => event.replace(/^text /, 'text '));
}

const read = (text: string): Event[] | ReaderRefusal => tokens(Buffer.from(text));
const refusalOf = (text: string | Uint8Array): string => {
  const result = tokens(typeof text === 'string' ? Buffer.from(text) : text);
  expect(result).toBeInstanceOf(ReaderRefusal);
  return `${(result as ReaderRefusal).where}: ${(result as ReaderRefusal).message}`;
};

describe('documents that are not well-formed', () => {
  it.each([
    ['<a><b></a>', refusals.xmlMismatch],
    ['<a></b>', refusals.xmlMismatch],
    ['</a>', refusals.xmlMismatch],
    ['<a/><b/>', refusals.xmlTwoRoots],
    ['<a/>text', refusals.xmlTextOutside],
    ['text<a/>', refusals.xmlTextOutside],
    ['<a b="1" b="2"/>', refusals.xmlTwiceAttribute],
    ['<a xmlns:p="u" xmlns:q="u" p:b="1" q:b="2"/>', refusals.xmlTwiceAttribute],
    ['<a b="<"/>', refusals.xmlLessThanInValue],
    ['<a b=1/>', refusals.xmlBadTag],
    ['<a b/>', refusals.xmlBadTag],
    ['<a b="1"c="2"/>', refusals.xmlBadTag],
    ['<a <b/>', refusals.xmlBadTag],
    ['< a/>', refusals.xmlBadTag],
    ['<1a/>', refusals.xmlBadTag],
    ['<a:b:c xmlns:a="u"/>', refusals.xmlBadTag],
    ['<a><!foo></a>', refusals.xmlBadTag],
    ['<a>]]></a>', refusals.xmlCdataEnd],
    ['<a>&nbsp;</a>', refusals.xmlReference],
    ['<a>& </a>', refusals.xmlReference],
    ['<a>&#0;</a>', refusals.xmlReference],
    ['<a>&#xFFFE;</a>', refusals.xmlReference],
    ['<a b="&x;"/>', refusals.xmlReference],
    ['<a>\u0001</a>', refusals.xmlIllegalCharacter],
    ['<a>\uffff</a>', refusals.xmlIllegalCharacter],
    ['<a b="\u0000"/>', refusals.xmlIllegalCharacter],
    ['<a><![CDATA[\u0008]]></a>', refusals.xmlIllegalCharacter],
    ['<!-- a -- b --><a/>', refusals.xmlDashesInComment],
    ['<p:a/>', refusals.xmlNamespace],
    ['<a p:b="1"/>', refusals.xmlNamespace],
    ['<a xmlns:p=""/>', refusals.xmlNamespace],
    ['<a xmlns:xmlns="u"/>', refusals.xmlNamespace],
    ['<a xmlns:xml="u"/>', refusals.xmlNamespace],
    [' <?xml version="1.0"?><a/>', refusals.xmlBadDeclaration],
    ['<?xml encoding="UTF-8"?><a/>', refusals.xmlBadDeclaration],
    ['<?xml version="2.0"?><a/>', refusals.xmlBadDeclaration],
    ['<a><?xml version="1.0"?></a>', refusals.xmlBadDeclaration],
    ['<!DOCTYPE a [<!ENTITY x "y">]><a>&x;</a>', refusals.xmlDoctype],
    ['<!DOCTYPE a SYSTEM "http://example.com/a.dtd"><a/>', refusals.xmlDoctype],
    ['<!DOCTYPE a PUBLIC "x" "y"><a/>', refusals.xmlDoctype],
    ['<a><!DOCTYPE a></a>', refusals.xmlBadTag],
    ['   ', refusals.xmlNoRoot],
    ['<a>', refusals.xmlTruncated],
    ['<a', refusals.xmlTruncated],
    ['<a><!-- ', refusals.xmlTruncated],
    [`${'<a>'.repeat(65)}${'</a>'.repeat(65)}`, refusals.xmlTooDeep],
    [`<a ${Array.from({ length: 65 }, (_, i) => `b${i}="1"`).join(' ')}/>`, refusals.xmlTooManyAttributes],
  ])('%s are refused', (text, message) => expect(refusalOf(text)).toContain(message));

  it('is refused with the line', () => {
    expect(refusalOf('<a>\n<b>\n</b>\n</c>\n</a>')).toMatch(/^line 4: /);
    expect(refusalOf('<a\n\n b="1"\n b="2"/>')).toMatch(/^line 4: /);
    expect(refusalOf('<a>\n\n\u0001</a>')).toMatch(/^line 3: /);
    expect(refusalOf('<a>\n<!--\n-->\n<b>')).toMatch(/^line 4: .*inside <b>/);
  });
  it('is refused where bytes are not UTF-8', () => {
    for (const bytes of [[0xff], [0xc0, 0x80], [0xed, 0xa0, 0x80], [0xe4], [0xf4, 0x90, 0x80, 0x80]]) {
      const document = Buffer.concat([Buffer.from('<a>'), Buffer.from(bytes), Buffer.from('</a>')]);
      expect(refusalOf(document)).toContain(refusals.xmlIllegalCharacter);
    }
  });
});

describe('documents that are well-formed', () => {
  it('are told as elements with namespaces, attributes and text', () => {
    const document = `<?xml version='1.0' encoding="utf-8" standalone='yes'?>
<!DOCTYPE p:a ><!-- c --><?pi x?>
<p:a xmlns:p="u" xmlns='d' p:x='a"b' y="1 &lt;&#65;&#x42;&amp;
2"><b>x&gt;y<![CDATA[<&>]]]]><![CDATA[>]]></b><c xmlns=""/></p:a>
`;
    expect(read(document)).toEqual([
      'start p:a{u} p:x{u}=a"b|xmlns:p{}=u|xmlns{}=d|y{}=1 <AB& 2',
      'start b{d} ',
      'text x>y<&>]]>',
      'end b',
      'start c{} xmlns{}=',
      'end c',
      'end p:a',
    ]);
  });
  it('mean the same in every encoding that is known', () => {
    const body = '<a b="é">€ – ü</a>';
    const expected = ['start a{} b{}=é', 'text € – ü', 'end a'];
    const declared = (name: string): string => `<?xml version="1.0" encoding="${name}"?>${body}`;
    expect(tokens(Buffer.from(`\ufeff${body}`))).toEqual(expected);
    for (const name of ['UTF-16', 'utf-16le']) {
      const little = Buffer.from(`\ufeff${declared(name)}`, 'utf16le');
      expect(tokens(little)).toEqual(expected);
      expect(tokens(little, 1)).toEqual(expected);
      expect(tokens(Buffer.from(little).swap16(), 3)).toEqual(expected);
    }
    const cp1252 = Buffer.from(
      declared('windows-1252').replaceAll('€', '\x80').replaceAll('–', '\x96'),
      'latin1',
    );
    expect(tokens(cp1252)).toEqual(expected);
    expect(tokens(cp1252, 1)).toEqual(expected);
    const latin = Buffer.from(declared('ISO-8859-1').replace('€ – ', ''), 'latin1');
    expect(tokens(latin)).toEqual(['start a{} b{}=é', 'text ü', 'end a']);
  });
  it('are refused where the declared encoding is wrong or unknown', () => {
    const wrong = (name: string, mark = ''): Buffer =>
      Buffer.from(`${mark}<?xml version="1.0" encoding="${name}"?><a>é</a>`);
    expect(refusalOf(wrong('UTF-16'))).toContain(refusals.xmlWrongEncoding);
    expect(refusalOf(wrong('ISO-8859-1', '\ufeff'))).toContain(refusals.xmlWrongEncoding);
    expect(refusalOf(wrong('EBCDIC'))).toContain(refusals.xmlUnknownEncoding);
    expect(refusalOf(wrong('US-ASCII'))).toContain(refusals.xmlIllegalCharacter);
    expect(refusalOf(Buffer.from('\ufeff<?xml version="1.0" encoding="UTF-8"?><a/>', 'utf16le'))).toContain(
      refusals.xmlWrongEncoding,
    );
    expect(refusalOf(Buffer.from('<a/>', 'utf16le'))).toContain(refusals.xmlUtf16WithoutMark);
    expect(refusalOf(Buffer.from('<?xml version="1.0"?><a>\xe9</a>', 'latin1'))).toContain(
      refusals.xmlIllegalCharacter,
    );
    expect(refusalOf('')).toContain(refusals.emptyFile);
  });
});

/** Well-formed documents with all that the grammar allows, of limited size. */
const name = fc.constantFrom('a', 'b', 'gpx', 'p:a', 'q:b-1', 'é', 'x.y_z');
const text = fc.constantFrom(
  '',
  'x',
  ' \r\n ',
  'ä€😀',
  '&lt;&amp;&#65;&#x1F600;',
  '] ]',
  '] ',
  '>',
  '\t"\'',
  '<![CDATA[<a>&]] ]]>',
  '<![CDATA[]]>',
  '<!-- - x <b> -->',
  '<?pi a="b" ?>',
  '<?p?>',
);
const attribute = fc
  .tuple(
    fc.constantFrom('c', 'd', 'p:c', 'q:c', 'e'),
    fc.constantFrom('', '1', '&quot;&#x9;', 'a\nb', '>', "'", 'ö'),
    fc.constantFrom('', ' ', '\n'),
  )
  .map(([key, value, gap]) => ` ${key}${gap}=${gap}"${value}"`);
const element = fc.letrec<{ node: string }>((tie) => ({
  node: fc
    .tuple(
      name,
      fc.uniqueArray(attribute, {
        maxLength: 3,
        selector: (one) => one.trim().split(/[\s=]/)[0]!.replace('q:', 'p:'),
      }),
      fc.array(fc.oneof({ maxDepth: 3 }, text, tie('node')), { maxLength: 4 }),
      fc.constantFrom('', ' '),
    )
    .map(([tag, attributes, children, gap]) =>
      children.length === 0
        ? `<${tag}${attributes.join('')}${gap}/>`
        : `<${tag}${attributes.join('')}>${children.join('')}</${tag}${gap}>`,
    ),
})).node;
const document = fc
  .tuple(
    fc.constantFrom('', '<?xml version="1.0"?>', '<!-- x -->\n'),
    fc.array(element, { maxLength: 3 }),
    fc.constantFrom('', '\n', '<?end?>'),
  )
  .map(
    ([before, children, after]) =>
      `${before}<root xmlns:p="P" xmlns:q="Q" xmlns="D">${children.join('')}</root>${after}`,
  );

describe('against saxes', () => {
  it('tells generated documents as it does, however they are cut', () => {
    fc.assert(
      fc.property(document, fc.integer({ min: 1, max: 64 }), (one, pieceSize) => {
        const expected = oracle(one);
        expect(expected).not.toBeNull();
        const bytes = Buffer.from(one);
        expect(tokens(bytes)).toEqual(expected);
        expect(tokens(bytes, pieceSize)).toEqual(expected);
      }),
      { numRuns: 400 },
    );
  });
  it('refuses the mutated documents that it refuses, and no others', () => {
    const random = new SeededRandom(11);
    const inserts = [
      '<',
      '>',
      '&',
      '"',
      "'",
      '/',
      ' ',
      ']',
      ']]>',
      '--',
      '<a>',
      '</a>',
      'p:',
      '=',
      '\u0000',
      '\n',
      ';',
      '!',
      '?',
    ];
    const samples = fc.sample(document, { numRuns: 1500, seed: 5 });
    let refused = 0;
    for (const sample of samples) {
      const at = random.below(sample.length);
      const kind = random.below(3);
      const mutated =
        kind === 0
          ? sample.slice(0, at) + sample.slice(at + 1 + random.below(3))
          : sample.slice(0, at) + random.pick(inserts) + sample.slice(kind === 1 ? at : at + 1);
      // Not well-formed text cannot be compared byte for byte; and saxes reads document types, which we never do.
      if (!mutated.isWellFormed() || /<!D|\?[xX][mM][lL]/.test(mutated.slice(5))) continue;
      // saxes lets names begin with anything behind the colon, and trims a namespace.
      if (/[a-z]:[^A-Za-zé]|xmlns[^=]*=\s*["']\s|xmlns[^>]*\s["']/.test(mutated)) continue;
      const expected = oracle(mutated);
      const result = tokens(Buffer.from(mutated), 1 + random.below(40));
      if (expected === null) {
        refused++;
        expect(result, mutated).toBeInstanceOf(ReaderRefusal);
      } else expect(result, mutated).toEqual(expected);
    }
    expect(refused).toBeGreaterThan(300);
  });
});
