import { assertAssignable, readSettings } from '#modules/identity'
import type { UserActor } from '#platform/access'
import { recordAudit } from '#platform/audit'
import type { TenantTx } from '#platform/db'
import { type InputError, invalidInput, scopeRequired } from '#platform/errors'
import type { Services } from '#platform/module'
import { toPointerSegment } from '#platform/rules'
import { type CustomFieldRow, listFieldsOf } from '../../records/custom-values/field-definitions.queries.ts'
import type {
  ColumnMapping,
  ImportOptions,
  NewMapping,
  RecordImport,
  Transform,
} from '../import-mapping/import.schemas.ts'
import {
  defaultOptions,
  type ImportedType,
  type ImportField,
  listImportFields,
} from '../import-mapping/import-fields.rules.ts'
import { listUserTexts } from '../import-mapping/mapped-columns.rules.ts'
import { findUsersByText } from '../import-mapping/match-rows.service.ts'
import { type CellContext, isBlank } from '../import-mapping/parse-cell.rules.ts'
import { readValue } from '../import-mapping/parse-row.rules.ts'
import { type ImportRecord, updateImportRow } from '../import-records/imports.queries.ts'
import { assertMappable, noCounts, toCountColumns } from '../import-records/imports.rules.ts'
import { getImportDetails, lockVisibleImport } from './get-import.service.ts'
import { importTargetPoint } from './import-target.ts'

type MappingServices = Pick<Services, 'registry'>

/** A mapping that follows a failed, cancelled or undone run begins as after the upload. */
const resultOfNoRun = {
  ...toCountColumns(noCounts),
  undone_count: 0,
  kept_count: 0,
  done_rows: 0,
  failure: null,
  started_at: null,
  finished_at: null,
  state_before_undo: null,
}

export async function updateImportMapping(
  tx: TenantTx,
  actor: UserActor,
  objectType: ImportedType,
  id: string,
  { columns: mapping, options: given }: NewMapping,
  services: MappingServices,
): Promise<RecordImport> {
  const before = await lockVisibleImport(tx, actor, objectType, id)
  assertMappable(before)
  const options: ImportOptions = { ...defaultOptions, ...given }
  await assertValidMapping(tx, actor, before, { mapping, options }, services)
  const after = await updateImportRow(tx, id, {
    state: 'mapped',
    mapping: JSON.stringify(mapping),
    options: JSON.stringify(options),
    run_no: before.run_no + 1,
    checked: null,
    ...resultOfNoRun,
  })
  const mapped = mapping.filter(({ field }) => field !== null).length
  await recordAudit(tx, 'import.mapped', { id, after: { object_type: objectType, columns: mapped, options } })
  return await getImportDetails(tx, after)
}

type Mapping = { mapping: readonly ColumnMapping[]; options: ImportOptions }

/** Checked again before a run, because fields, users and campaigns can change. */
export async function assertValidMapping(
  tx: TenantTx,
  actor: UserActor,
  { object_type, columns }: ImportRecord,
  { mapping, options }: Mapping,
  { registry }: MappingServices,
): Promise<void> {
  const customFields = await listFieldsOf(tx, object_type)
  const fields = listImportFields(object_type, customFields)
  const { currency, timezone } = await readSettings(tx, 'general')
  const texts = [
    ...Object.values(options.default_values),
    ...mapping.flatMap(({ values = {} }) => Object.values(values)),
  ]
  const context = { currency, timezone, users: await findUsersByText(tx, listUserTexts([], [], texts)) }
  const problems = [
    ...findColumnProblems(mapping, columns, fields),
    ...findMatchProblems(options, mapping, customFields),
    ...findTextProblems(options, mapping, fields, context),
  ]
  if (problems.length) throw invalidInput(problems)
  await assertAssignable(tx, options.owner_id, '/options/owner_id')
  if (!options.campaign_id) return
  const target = registry.extensionsOf(importTargetPoint).find(({ type }) => type === 'campaign')
  if (!target) return
  if (!actor.scopes.has(target.scope)) throw scopeRequired(target.scope)
  await target.assertUsable(tx, options.campaign_id, '/options/campaign_id')
}

const problem = (path: string, code: string, message: string): InputError => ({ in: 'body', path, code, message })

function findColumnProblems(
  mapping: readonly ColumnMapping[],
  columns: readonly string[],
  fields: readonly ImportField[],
) {
  const names = new Set(fields.map(({ name }) => name))
  const usedColumns = new Set<string>()
  const usedFields = new Set<string>()
  const problems = mapping.flatMap(({ column, field }, index) => {
    const found: InputError[] = []
    const path = `/columns/${index}`
    if (!columns.includes(column))
      found.push(problem(`${path}/column`, 'unknown', `\`${column}\` is not a column of the file.`))
    if (usedColumns.has(column))
      found.push(problem(`${path}/column`, 'duplicate', `\`${column}\` must not be mapped twice.`))
    usedColumns.add(column)
    if (field === null) return found
    if (!names.has(field))
      found.push(problem(`${path}/field`, 'unknown', `\`${field}\` is not a field that can be imported.`))
    if (usedFields.has(field))
      found.push(problem(`${path}/field`, 'duplicate', `\`${field}\` must not be mapped twice.`))
    usedFields.add(field)
    return found
  })
  if (!usedFields.size)
    problems.push(problem('/columns', 'required', '`columns` must map at least one column to a field.'))
  return problems
}

function findMatchProblems(
  { match_by }: ImportOptions,
  mapping: readonly ColumnMapping[],
  customFields: readonly CustomFieldRow[],
) {
  if (!match_by.startsWith('custom_field:')) return []
  const key = match_by.slice('custom_field:'.length)
  const field = customFields.find((candidate) => candidate.key === key && candidate.is_active && !candidate.deleted_at)
  if (!field?.is_unique)
    return [
      problem(
        '/options/match_by',
        'unknown',
        `\`match_by\` must name a unique custom field, but \`${key}\` is not one.`,
      ),
    ]
  if (mapping.some((column) => column.field === `custom.${key}`)) return []
  return [problem('/options/match_by', 'unmapped', `\`match_by\` requires a column for \`custom.${key}\`.`)]
}

function findTextProblems(
  { default_values }: ImportOptions,
  mapping: readonly ColumnMapping[],
  fields: readonly ImportField[],
  context: CellContext,
) {
  const findField = (name: string | null) => fields.find((candidate) => candidate.name === name)
  const check = (path: string, field: ImportField, text: string, transform?: Transform) => {
    const parsed = isBlank(text) ? { value: null } : readValue(field, text, { ...context, transform })
    return 'problem' in parsed ? [problem(path, parsed.problem.code, parsed.problem.message)] : []
  }
  const ofDefaults = Object.entries(default_values).flatMap(([name, text]) => {
    const path = `/options/default_values/${name}`
    const field = findField(name)
    if (!field) return [problem(path, 'unknown', `\`${name}\` is not a field that can be imported.`)]
    return check(path, field, text)
  })
  const ofColumns = mapping.flatMap(({ field: name, values = {}, transform }, index) => {
    const field = findField(name)
    if (!field) return []
    return Object.entries(values).flatMap(([key, text]) =>
      check(`/columns/${index}/values/${toPointerSegment(key)}`, field, text, transform),
    )
  })
  return [...ofDefaults, ...ofColumns]
}
