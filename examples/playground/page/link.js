// SPDX-License-Identifier: MIT
//
// The whole state of the page in a link: JSON, deflated, in the characters of a URL.

async function through(stream, bytes) {
  return new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer());
}

/** What a base64 text stands for, in the alphabet of URLs or the usual one. */
export function bytesOf(base64) {
  const text = atob(base64.trim().replaceAll('-', '+').replaceAll('_', '/'));
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}

/** What gzip made smaller. */
export const unzip = (bytes) => through(new DecompressionStream('gzip'), bytes);

/** A value as the part of a link behind '#'. */
export async function toLink(value) {
  const bytes = await through(new CompressionStream('deflate-raw'), new TextEncoder().encode(JSON.stringify(value)));
  let text = '';
  for (const byte of bytes) {
    text += String.fromCharCode(byte);
  }
  return btoa(text).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

/** The value of a link. Throws if it holds none. */
export async function fromLink(part) {
  const bytes = await through(new DecompressionStream('deflate-raw'), bytesOf(part));
  return JSON.parse(new TextDecoder().decode(bytes));
}
