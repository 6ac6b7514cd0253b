import pg from 'pg'

type Decode = (text: string) => unknown
type Field = { name: string; dataTypeID: number }

/** How the rows of a statement are read: its columns, in order, and what each is read with. */
export type RowShape = { names: string[]; decoders: Decode[]; blank: Record<string, null> }

export function shapeOf(fields: Field[]): RowShape {
  const names = fields.map(({ name }) => name)
  return {
    names,
    decoders: fields.map(({ dataTypeID }) => decoderOf(dataTypeID)),
    // Copying an object of the right shape is quicker than growing one column by column.
    blank: Object.fromEntries(names.map((name) => [name, null])),
  }
}

export function readRow({ names, decoders, blank }: RowShape, values: (string | null)[]): Record<string, unknown> {
  const row: Record<string, unknown> = { ...blank }
  for (let column = 0; column < values.length; column++) {
    const value = values[column]
    if (value != null) row[names[column]!] = decoders[column]!(value)
  }
  return row
}

const asText: Decode = (text) => text

/** Columns that are not read as pg reads them: counts and money fit a number, a calendar day is no instant. */
const own = new Map<number, Decode>([
  [20, readInteger],
  [25, asText],
  [1043, asText],
  [2950, asText],
  [1082, asText],
  [1184, readInstant],
])

const decoderOf = (type: number): Decode => own.get(type) ?? (pg.types.getTypeParser(type, 'text') as Decode)

/** For the pool itself, so that whatever runs on it reads the same values. */
export const columnTypes = { getTypeParser: decoderOf } as unknown as pg.CustomTypesConfig

function readInteger(text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new RangeError(`${text} does not fit a number. Select it as text.`)
  return value
}

const readAnyInstant = pg.types.getTypeParser(1184, 'text') as Decode

/** `2026-03-01 09:30:00.123456+00`, as a connection in UTC prints it. Anything odder is left to pg. */
function readInstant(text: string): unknown {
  if (text.length < 22 || text.length > 29 || !text.endsWith('+00') || text.charCodeAt(4) !== 45)
    return readAnyInstant(text)
  return new Date(`${text.slice(0, 10)}T${text.slice(11, -3)}Z`)
}
