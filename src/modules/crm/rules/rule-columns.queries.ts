import { type RawBuilder, sql } from 'kysely'
import { accents, betweenWords, doubledLetters, settledLetters, strokedLetters } from './caseless.rules.ts'
import { type Field, type FieldType, jsonKinds } from './vocabulary.rules.ts'

type Sql = RawBuilder<unknown>

/** The value of a field in a statement. Out of jsonb, lists stay jsonb, numbers and truths are read, the rest is text. */
export type Column = { value: Sql; isJson: boolean }

export function columnOf(field: Field, alias: string): Column {
  const column = sql.ref(`${field.of ?? alias}.${field.column}`)
  if (field.jsonKey === undefined) return { value: column, isJson: false }
  return { value: jsonValue(column, field.jsonKey, field.type), isJson: true }
}

/** A member of another kind than the field has is no value, so reading it never fails. */
function jsonValue(column: Sql, key: string, type: FieldType): Sql {
  const [json, text] = [sql`${column} -> ${key}::text`, sql`${column} ->> ${key}::text`]
  const reading: Partial<Record<FieldType, Sql>> = {
    number: sql`(${text})::double precision`,
    boolean: sql`(${text})::boolean`,
    multi_select: sql`(${json})`,
    tags: sql`(${json})`,
  }
  return sql`(case when jsonb_typeof(${json}) = ${sql.lit(jsonKinds[type])} then ${reading[type] ?? text} end)`
}

/** The twin of `caseless`; a column that is kept in lower case needs no work. */
export function lowerCased(field: Field, alias: string): Sql {
  if (field.type === 'text' && field.lowerColumn) return sql.ref(`${field.of ?? alias}.${field.lowerColumn}`)
  const text = columnOf(field, alias).value
  return unlessAscii(text, sql`lower(${translated(text, settledLetters)})`)
}

/** The twin of `wordsOf`. */
export const wordsIn = (text: Sql): Sql =>
  sql`(' ' || regexp_replace(${unaccented(text)}, ${sql.lit(betweenWords)}, ' ', 'g') || ' ')`

/** The same before it is taken apart into words. */
export function unaccented(text: Sql): Sql {
  const bare = sql`lower(regexp_replace(normalize(${text}, NFKD), ${sql.lit(accents)}, '', 'g'))`
  const folded = doubledLetters.reduce(
    (rest, [letter, two]) => sql`replace(${rest}, ${sql.lit(letter)}, ${sql.lit(two)})`,
    translated(bare, strokedLetters),
  )
  return unlessAscii(text, folded)
}

/** Most text is plain ASCII, which has only one lower case and is put into it many times faster. */
const unlessAscii = (text: Sql, otherwise: Sql): Sql =>
  sql`case when octet_length(${text}) = length(${text}) then lower(${text} collate "C") else ${otherwise} end`

const translated = (text: Sql, { from, to }: { from: string; to: string }): Sql =>
  sql`translate(${text}, ${sql.lit(from)}, ${sql.lit(to)})`
