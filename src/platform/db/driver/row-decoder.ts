import pg from 'pg'

type Decode = (text: string) => unknown
type Field = { name: string; dataTypeID: number }

export type RowDecoder = { names: string[]; decoders: Decode[]; blank: Record<string, null> }

export function createRowDecoder(fields: Field[]): RowDecoder {
  const names = fields.map(({ name }) => name)
  return {
    names,
    decoders: fields.map(({ dataTypeID }) => decoderOf(dataTypeID)),
    blank: Object.fromEntries(names.map((name) => [name, null])),
  }
}

export function decodeRow({ names, decoders, blank }: RowDecoder, values: (string | null)[]): Record<string, unknown> {
  const row: Record<string, unknown> = { ...blank }
  for (let column = 0; column < values.length; column++) {
    const value = values[column]
    if (value != null) row[names[column]!] = decoders[column]!(value)
  }
  return row
}

const asText: Decode = (text) => text

/** Type OIDs decoded differently from pg's defaults: bigint as a number, date as text, timestamptz faster. */
const decoderByOid = new Map<number, Decode>([
  [20, decodeInteger],
  [25, asText],
  [1043, asText],
  [2950, asText],
  [1082, asText],
  [1184, decodeTimestamp],
])

const decoderOf = (oid: number): Decode => decoderByOid.get(oid) ?? (pg.types.getTypeParser(oid, 'text') as Decode)

/** Type parsers for plain `client.query()` calls, so that they return the same values. */
export const columnTypes = { getTypeParser: decoderOf } as unknown as pg.CustomTypesConfig

function decodeInteger(text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new RangeError(`${text} does not fit into a number. Select it as text.`)
  return value
}

const decodeAnyTimestamp = pg.types.getTypeParser(1184, 'text') as Decode

/** Parses `2026-03-01 09:30:00.123456+00`, the usual form in UTC; leaves all others to pg. */
function decodeTimestamp(text: string): unknown {
  if (text.length < 22 || text.length > 29 || !text.endsWith('+00') || text.charCodeAt(4) !== 45)
    return decodeAnyTimestamp(text)
  return new Date(`${text.slice(0, 10)}T${text.slice(11, -3)}Z`)
}
