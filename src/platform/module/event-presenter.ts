import type { Static, TSchema } from 'typebox'
import type { TenantTx } from '#platform/db'
import { createSerializer } from '#platform/http'

/** Reads the subjects of events for the `object` of webhook payloads, as the API shows them to a viewer. */
export type EventPresenter = {
  /** Subject type of the events, such as `lead`. */
  subjectType: string
  schema: TSchema
  /** Returns the records by id, as JSON values; deleted and missing ones are left out. */
  list(tx: TenantTx, ids: readonly string[], now: Date): Promise<Map<string, unknown>>
}

type PresenterDefinition<S extends TSchema> = {
  subjectType: string
  schema: S
  list(tx: TenantTx, ids: readonly string[], now: Date): Promise<Iterable<readonly [id: string, record: Static<S>]>>
}

/** Writes records with the serializer of responses, so that a payload has no field that the API does not show. */
export function definePresenter<S extends TSchema>({
  subjectType,
  schema,
  list,
}: PresenterDefinition<S>): EventPresenter {
  const serialize = createSerializer(schema)
  return {
    subjectType,
    schema,
    async list(tx, ids, now) {
      const records = await list(tx, ids, now)
      return new Map(Array.from(records, ([id, record]) => [id, JSON.parse(serialize(record))]))
    },
  }
}
