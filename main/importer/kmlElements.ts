/** What an open element of KML is to the reader, by its parent and name. */
import type { XmlElement } from './xmlTokenizer.ts';

/** KML of OGC and of Google Earth before it; none is common. */
export const kmlNamespace = /^(http:\/\/www\.opengis\.net\/kml\/.*|http:\/\/earth\.google\.com\/kml\/.*|)$/;
const gxNamespace = 'http://www.google.com/kml/ext/2.2';

export const OTHER = 0;
export const ROOT = 1;
export const CONTAINER = 2;
export const PLACEMARK = 3;
export const MULTI_GEOMETRY = 4;
export const LINE = 5;
export const COORDINATES = 6;
export const GX_TRACK = 7;
export const TIME_SPAN = 8;
export const TIME_STAMP = 9;
export const EXTENDED_DATA = 10;
export const DATA = 11;
export const SCHEMA_DATA = 12;
export const IGNORED_POINT = 13;
export const IGNORED_POLYGON = 14;
// Elements whose text we want.
export const FIELD = 32;
export const FIELD_NAME = 32;
export const FIELD_BEGIN = 33;
export const FIELD_END = 34;
export const FIELD_STAMP = 35;
export const FIELD_VALUE = 36;
export const FIELD_WHEN = 37;
export const FIELD_COORD = 38;
export const FIELD_ANGLES = 39;

/** SimpleData is data and value in one: the reader takes its name from the tag. */
export const FIELD_SIMPLE = 40;

export function kindOfKmlElement(parent: number, element: XmlElement): number {
  const { local } = element.name;
  const isGx = element.namespace === gxNamespace;
  if (!isGx && !kmlNamespace.test(element.namespace)) return OTHER;
  switch (parent) {
    case ROOT:
    case CONTAINER:
      if (local === 'Document' || local === 'Folder') return CONTAINER;
      return local === 'Placemark' ? PLACEMARK : OTHER;
    case PLACEMARK:
      switch (local) {
        case 'name':
          return FIELD_NAME;
        case 'TimeSpan':
          return TIME_SPAN;
        case 'TimeStamp':
          return TIME_STAMP;
        case 'ExtendedData':
          return EXTENDED_DATA;
        default:
          return geometryKind(local);
      }
    case MULTI_GEOMETRY:
      return geometryKind(local);
    case LINE:
      return local === 'coordinates' ? COORDINATES : OTHER;
    case GX_TRACK:
      if (local === 'when') return FIELD_WHEN;
      // KML 2.3 took gx:Track over without the prefix.
      if (local === 'coord') return FIELD_COORD;
      return local === 'angles' ? FIELD_ANGLES : OTHER;
    case TIME_SPAN:
      return local === 'begin' ? FIELD_BEGIN : local === 'end' ? FIELD_END : OTHER;
    case TIME_STAMP:
      return local === 'when' ? FIELD_STAMP : OTHER;
    case EXTENDED_DATA:
      return local === 'Data' ? DATA : local === 'SchemaData' ? SCHEMA_DATA : OTHER;
    case DATA:
      return local === 'value' ? FIELD_VALUE : OTHER;
    case SCHEMA_DATA:
      return local === 'SimpleData' ? FIELD_SIMPLE : OTHER;
    default:
      return OTHER;
  }
}

function geometryKind(local: string): number {
  switch (local) {
    case 'MultiGeometry':
    case 'MultiTrack':
      return MULTI_GEOMETRY;
    case 'LineString':
      return LINE;
    case 'Track':
      return GX_TRACK;
    case 'Point':
      return IGNORED_POINT;
    case 'Polygon':
    case 'LinearRing':
      return IGNORED_POLYGON;
    default:
      return OTHER;
  }
}
