import { type Static, Type } from 'typebox'
import { enumList, Id, named, nullable, strict } from '#platform/schema'
import type { SearchSource } from './search-source.ts'

export const maxPerType = 10

export const toSearchQuerySchema = (sources: readonly SearchSource[]) =>
  strict({
    q: Type.String({ minLength: 2, maxLength: 100, description: 'Words that must all occur, in any order.' }),
    types: Type.Optional({
      ...enumList(sources.map(({ type }) => type)),
      description: 'Default: all types that the credential may read.',
    }),
    limit: Type.Integer({
      minimum: 1,
      maximum: maxPerType,
      default: 5,
      description: 'Maximum number of records per type.',
    }),
  })
export type RecordSearchQuery = { q: string; types?: string[]; limit: number }

const foundRecordOf = (types: string[]) =>
  strict({
    type: Type.Enum(types, { description: 'Type of the record.' }),
    id: Id,
    title: Type.String({ description: 'Name of the record, as lists show it.' }),
    subtitle: nullable(
      Type.String({ description: 'What tells records with the same name apart; null if there is nothing.' }),
    ),
    path: Type.String({ description: 'Path of the record in the web application.' }),
  })

export const toFoundRecordsSchema = (sources: readonly SearchSource[]) =>
  named(
    'FoundRecords',
    strict({
      items: Type.Array(foundRecordOf(sources.map(({ type }) => type)), {
        maxItems: maxPerType * sources.length,
        description: 'The records by type, and the best of a type first.',
      }),
    }),
  )
export type FoundRecords = Static<ReturnType<typeof toFoundRecordsSchema>>
