/** The user's way out of a damaged cache, for hosts to offer; never taken without being asked. */
export { setAsideCorruptCache } from '../cache/openCache.ts';
