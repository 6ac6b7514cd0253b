/** Follows the top-level boxes of MP4 and QuickTime (ISO 14496-12) while the file arrives. */
export function createBoxReader() {
  const names = new Set<string>()
  let header = Buffer.alloc(0)
  let position = 0
  let nextBox = 0
  let isValid = true
  let extendsToEnd = false

  function readHeader(): void {
    const size = header.readUInt32BE(0)
    if (size === 1 && header.length < 16) return
    const length = size === 1 ? Number(header.readBigUInt64BE(8)) : size
    names.add(header.toString('latin1', 4, 8))
    if (size === 0) extendsToEnd = true
    else if (length < header.length || !Number.isSafeInteger(length)) isValid = false
    else nextBox += length
    header = Buffer.alloc(0)
  }

  return {
    update(chunk: Buffer): void {
      let index = 0
      while (isValid && !extendsToEnd && index < chunk.length) {
        const skipped = Math.min(nextBox + header.length - (position + index), chunk.length - index)
        if (skipped > 0) {
          index += skipped
          continue
        }
        const wanted = header.length < 8 ? 8 - header.length : 16 - header.length
        const read = chunk.subarray(index, index + wanted)
        header = Buffer.concat([header, read])
        index += read.length
        if (header.length === 8 || header.length === 16) readHeader()
      }
      position += chunk.length
    },
    isComplete: (): boolean =>
      isValid && names.has('moov') && header.length === 0 && (extendsToEnd || nextBox === position),
  }
}
