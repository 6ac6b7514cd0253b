const execute = Buffer.from([0x45, 0, 0, 0, 9, 0, 0, 0, 0, 0])
const sync = Buffer.from([0x53, 0, 0, 0, 4])

export const executeAndSync = Buffer.concat([execute, sync])
export const describePortal = Buffer.from([0x44, 0, 0, 0, 6, 0x50, 0])

/** Builds Bind and Execute for a prepared statement with at most one value; the Sync follows with a later message. */
export function bindAndExecute(statement: string, value?: string): Buffer {
  const name = Buffer.from(`\0${statement}\0`)
  const values = value === undefined ? [int16(0)] : [int16(1), int32(Buffer.byteLength(value)), Buffer.from(value)]
  const body = Buffer.concat([name, int16(0), ...values, int16(0)])
  return Buffer.concat([Buffer.from('B'), int32(body.length + 4), body, execute])
}

function int32(value: number): Buffer {
  const bytes = Buffer.allocUnsafe(4)
  bytes.writeInt32BE(value)
  return bytes
}

function int16(value: number): Buffer {
  const bytes = Buffer.allocUnsafe(2)
  bytes.writeInt16BE(value)
  return bytes
}
