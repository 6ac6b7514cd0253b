import { type RawBuilder, sql } from 'kysely'
import { accentPattern, caseExceptions, ligatures, separatorPattern, strokeLetters } from './text-folding.rules.ts'
import { type FieldType, jsonTypes, type RuleField } from './vocabulary.rules.ts'

type Sql = RawBuilder<unknown>

/** The value of a field in SQL. From jsonb, lists stay jsonb, numbers and booleans are cast, everything else is text. */
export type ColumnExpression = { value: Sql; isJson: boolean }

export function columnExpression(field: RuleField, alias: string): ColumnExpression {
  if (field.type === 'money' && field.baseAmountOf) {
    const recordId = sql.ref<string>(`${field.joinAlias ?? alias}.id`)
    return { value: sql`${field.baseAmountOf(recordId)}`, isJson: false }
  }
  const column = sql.ref(`${field.joinAlias ?? alias}.${field.column}`)
  if (field.jsonKey === undefined) return { value: column, isJson: false }
  return { value: jsonValue(column, field.jsonKey, field.type), isJson: true }
}

/** Treats a member of another JSON type as null, so that the cast never fails. */
function jsonValue(column: Sql, key: string, type: FieldType): Sql {
  const [json, text] = [sql`${column} -> ${key}::text`, sql`${column} ->> ${key}::text`]
  const typedValues: Partial<Record<FieldType, Sql>> = {
    number: sql`(${text})::double precision`,
    boolean: sql`(${text})::boolean`,
    multi_select: sql`(${json})`,
    tags: sql`(${json})`,
  }
  return sql`(case when jsonb_typeof(${json}) = ${sql.lit(jsonTypes[type])} then ${typedValues[type] ?? text} end)`
}

/** Equivalent of `foldCase`; uses the lower-case column if there is one. */
export function foldCaseSql(field: RuleField, alias: string): Sql {
  if (field.type === 'text' && field.lowerColumn) return sql.ref(`${field.joinAlias ?? alias}.${field.lowerColumn}`)
  return foldTextSql(columnExpression(field, alias).value)
}

export const foldTextSql = (text: Sql): Sql => lowerIfAscii(text, sql`lower(${translateSql(text, caseExceptions)})`)

export const normalizeWordsSql = (text: Sql): Sql =>
  sql`(' ' || regexp_replace(${foldAccentsSql(text)}, ${sql.lit(separatorPattern)}, ' ', 'g') || ' ')`

export function foldAccentsSql(text: Sql): Sql {
  const unaccented = sql`lower(regexp_replace(normalize(${text}, NFKD), ${sql.lit(accentPattern)}, '', 'g'))`
  const folded = ligatures.reduce(
    (rest, [letter, replacement]) => sql`replace(${rest}, ${sql.lit(letter)}, ${sql.lit(replacement)})`,
    translateSql(unaccented, strokeLetters),
  )
  return lowerIfAscii(text, folded)
}

/** Fast path: most text is ASCII, and lower() in collation "C" is many times faster. */
const lowerIfAscii = (text: Sql, otherwise: Sql): Sql =>
  sql`case when octet_length(${text}) = length(${text}) then lower(${text} collate "C") else ${otherwise} end`

const translateSql = (text: Sql, { from, to }: { from: string; to: string }): Sql =>
  sql`translate(${text}, ${sql.lit(from)}, ${sql.lit(to)})`
