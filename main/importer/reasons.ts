/**
 * Every remark a reader can make about a row or point, in one place: docs/import-rules.md lists them and a test
 * holds both to each other. Texts are stable: they are stored in import reports.
 */

/** The row or point is not kept. */
export const skipReasons = {
  noTime: 'no time',
  notATime: 'the time is not a date and time',
  impossibleTime: 'the date or time does not exist',
  leapSecond: 'a leap second cannot be placed on the time line',
  yearOutOfRange: 'the year is outside 1900 to 2199',
  noLatitude: 'no latitude',
  noLongitude: 'no longitude',
  latitudeNotANumber: 'the latitude is not a number',
  longitudeNotANumber: 'the longitude is not a number',
  latitudeOutOfRange: 'the latitude is outside -90 to 90',
  longitudeOutOfRange: 'the longitude is outside -180 to 180',
  nullIsland: 'the position is 0/0, which receivers write when they have none',
  driveNoNotAnInteger: 'drive_no is not a whole number',
  duplicate: 'repeats a point of the same trip exactly',
  tooFewFields: 'fewer fields than the header',
  tooManyFields: 'more fields than the header',
  lineTooLong: 'the line is longer than 1 MiB',
  fieldTooLong: 'a field is longer than 64 KiB, or its quote is never closed',
  quoteNotClosed: 'a quote is not closed before the end of the file',
  strayQuote: 'a quote in the middle of a field',
  nulByte: 'contains a NUL byte',
  notUtf8: 'the text is not valid UTF-8',
  textTooLong: 'a camera name or serial is longer than 1,000 bytes',
  badCoordinate: 'not a longitude,latitude[,altitude] coordinate',
} as const;

/** The row or point is kept as it is; or something beside the points was passed over. */
export const flagReasons = {
  noZone: 'the time has no zone; read as UTC, which the export promises',
  hour24: 'the time is 24:00:00; read as 00:00:00 of the next day',
  timeRounded: 'the time is finer than a microsecond; rounded to the nearest',
  earlyYear: 'the year is before 2005; the clock was probably not set',
  lateYear: 'the year is 2036 or later; the clock is probably wrong',
  outOfOrder: 'earlier than a point before it in the same trip',
  sameTime: 'same time as a point before it in the same trip, with other values',
  speedNegative: 'the speed is below 0',
  speedHigh: 'the speed is above 400 km/h',
  speedNotANumber: 'the speed is not a number; the point is kept without speed',
  heading360: 'the heading is 360',
  headingOutOfRange: 'the heading is outside 0 to 360',
  headingNotANumber: 'the heading is not a number; the point is kept without heading',
  altitudeNotANumber: 'the altitude is not a number; the point is kept without altitude',
  exponent: 'a number is written with an exponent; kept as the same plain number',
  decimalComma: 'numbers have a decimal comma; read as a decimal point',
  semicolons: 'fields are separated by ; instead of ,',
  ignoredColumn: 'columns that are not part of the export are not kept',
  emptyLine: 'empty line',
  noLastLineEnd: 'the last line has no line end; the file may be cut short',
  utf16: 'the text is UTF-16; read as Unicode text',
  noDuplicateSearch: 'too many points run backwards in time to look for repeats among them',
  noPointTime: 'the point has no time; kept as shape only',
  segmentBreak: 'the track goes on in a new segment',
  repeatedElement: 'an element is stated twice for one point; the first is kept',
  trackWithoutPoints: 'a track without points',
  waypoint: 'waypoints are not kept',
  route: 'routes are not kept',
  routePoint: 'route points are not kept',
  placemarkPoint: 'points of interest are not kept',
  polygon: 'polygons are not kept',
  dateOnly: 'a time span is given by date only; read as the start of that day, UTC',
  spanNotATime: 'a time span is not a date and time; not kept',
  whenWithoutCoordinate: 'a time without a coordinate in a gx:Track',
  anglesNotKept: 'headings after more than 500,000 coordinates of a gx:Track are not kept',
} as const;

/** The whole file is refused; `where` of the refusal says where. Texts may be followed by what was found. */
export const refusals = {
  emptyFile: 'the file is empty',
  csvNoColumn: 'the header has no column',
  csvTwiceColumn: 'the header has two columns for',
  csvBadHeader: 'the header line cannot be read',
  csvTooManyColumns: 'the header has more than 1,000 columns',
  csvQuotesTangled: 'so many quotes are left open that the rows cannot be told apart',
  tooManyTrips: 'the file has more than 100,000 trips',
} as const;
