export type JsonSize = { values: number; keys: number; depth: number }

const [quote, backslash, comma, colon, space] = [0x22, 0x5c, 0x2c, 0x3a, 0x20]

const isOpening = (byte: number) => byte === 0x5b || byte === 0x7b
const isClosing = (byte: number) => byte === 0x5d || byte === 0x7d

/** Counts values, keys and levels before a text is parsed, and stops at an exceeded limit. Exact for valid JSON only. */
export function measureJson(json: Uint8Array, limits: JsonSize): JsonSize {
  let [values, keys, depth, level, isFirst] = [1, 0, 0, 0, false]
  for (let i = 0; i < json.length; i++) {
    const byte = json[i]!
    if (byte <= space) continue
    if (isFirst && !isClosing(byte)) values++
    isFirst = false
    if (byte === quote) i = endOfString(json, i)
    else if (byte === comma) values++
    else if (byte === colon) keys++
    else if (isClosing(byte)) level--
    else if (isOpening(byte)) {
      isFirst = true
      depth = Math.max(depth, ++level)
    } else continue
    if (values > limits.values || keys > limits.keys || depth > limits.depth) break
  }
  return { values, keys, depth }
}

function endOfString(json: Uint8Array, start: number): number {
  let i = start + 1
  while (i < json.length && json[i] !== quote) i += json[i] === backslash ? 2 : 1
  return i
}
