import { invalid, withErrorPathPrefix } from '#platform/errors'
import { deleteTags, insertTags } from '../records/tags.queries.ts'
import type { BulkParams } from './bulk.schemas.ts'
import { type BulkContext, type LeadBulkAction, withApplyToAll } from './bulk-action.ts'
import { requiredParam } from './bulk-params.rules.ts'
import { recordFieldChanges } from './record-field-changes.service.ts'
import { prepareFields, updateLeadFields } from './update-lead-fields.service.ts'
import { updateManyLeads } from './update-many-leads.service.ts'

const maxTags = 50

async function assertTags(_tx: unknown, { tags }: BulkParams): Promise<void> {
  if (!tags) throw requiredParam('tags')
}

const addTags: LeadBulkAction = {
  name: 'add_tags',
  takes: ['tags'],
  assertParams: assertTags,
  ...withApplyToAll((tx, ids, { tags = [] }: BulkParams, by: BulkContext) =>
    updateManyLeads(
      tx,
      ids,
      {
        columnsFor(lead) {
          const next = [...new Set([...lead.tags, ...tags])]
          if (next.length > maxTags)
            throw invalid('body', '/params/tags', 'too_many', `A lead must not have more than ${maxTags} tags.`)
          return next.length === lead.tags.length ? undefined : { tags: next }
        },
        fieldsOf: () => ['tags'],
        async onUpdated(changes) {
          await insertTags(
            tx,
            'lead',
            changes.map(({ after: { id } }) => ({ id, tags })),
          )
          await recordFieldChanges(tx, changes, () => ['tags'], by)
        },
      },
      by.now,
    ),
  ),
}

const removeTags: LeadBulkAction = {
  name: 'remove_tags',
  takes: ['tags'],
  assertParams: assertTags,
  ...withApplyToAll((tx, ids, { tags = [] }: BulkParams, by: BulkContext) =>
    updateManyLeads(
      tx,
      ids,
      {
        columnsFor(lead) {
          const next = lead.tags.filter((tag) => !tags.includes(tag))
          return next.length === lead.tags.length ? undefined : { tags: next }
        },
        fieldsOf: () => ['tags'],
        async onUpdated(changes) {
          const changedIds = changes.map(({ after: { id } }) => id)
          await deleteTags(tx, 'lead', changedIds, tags)
          await recordFieldChanges(tx, changes, () => ['tags'], by)
        },
      },
      by.now,
    ),
  ),
}

const updateFields: LeadBulkAction = {
  name: 'update_fields',
  takes: ['fields'],
  async assertParams(tx, { fields }: BulkParams, { now }) {
    if (!fields) throw requiredParam('fields')
    await withErrorPathPrefix('/fields', () => prepareFields(tx, fields, now))
  },
  ...withApplyToAll((tx, ids, { fields = {} }: BulkParams, by) => updateLeadFields(tx, ids, fields, by)),
}

export const fieldActions: LeadBulkAction[] = [addTags, removeTags, updateFields]
