import { timezoneOf } from '#modules/identity'
import { dayInTimezone } from '#platform/calendar'
import { defineRecordCheck, type IntegrityCheck, type IntegrityRun, type Services } from '#platform/module'
import { lockAssignmentState } from '../people/assignment/assignment.queries.ts'
import { listCountedDays } from '../work/analytics/rollups.queries.ts'
import { findDriftedDays, recountRollups } from '../work/analytics/rollups.service.ts'
import {
  correctAssignmentCounts,
  correctOpenLeadCounts,
  listAssignmentDrift,
  listOpenLeadDrift,
} from './counters.queries.ts'
import {
  convertMistypedValues,
  findMistypedValues,
  findUnknownKeys,
  removeUnknownKeys,
} from './custom-values.service.ts'
import {
  assignToManagers,
  findRecordsOfInactiveOwners,
  findStaleGrades,
  repairContactLinks,
  repairScores,
} from './integrity.service.ts'
import { listConvertedWithoutContact, listDuplicateContacts, listScoresOutOfRange } from './lead-integrity.queries.ts'
import {
  deleteOrphanedEntries,
  deleteOrphans,
  listOrphanedEntries,
  listOrphans,
  referringTableNames,
} from './orphans.queries.ts'

const orphan = {
  code: 'custom_value_orphan',
  title: 'Value of a custom field or record that does not exist',
  severity: 'warning',
  hint: 'Delete the value.',
} as const

export const customValueChecks = ({ clock }: Pick<Services, 'clock'>): IntegrityCheck[] => [
  {
    ...orphan,
    find: ({ inTenant }, limit) => inTenant((tx) => findUnknownKeys(tx, limit)),
    repair: ({ inTenant }, found) => inTenant((tx) => removeUnknownKeys(tx, found)),
  },
  {
    ...orphan,
    find: ({ inTenant }, limit) => inTenant((tx) => listOrphanedEntries(tx, limit)),
    repair: ({ inTenant }, found) =>
      inTenant((tx) =>
        deleteOrphanedEntries(
          tx,
          found.map(({ id }) => id),
        ),
      ),
  },
  {
    code: 'custom_value_type',
    title: 'Custom value that does not have the type of its field',
    severity: 'warning',
    hint: 'Correct the value. A repair converts it if that loses nothing, and otherwise clears it.',
    find: ({ inTenant }, limit) => inTenant((tx) => findMistypedValues(tx, limit)),
    repair: ({ inTenant }, found) =>
      inTenant(async (tx) => {
        const now = clock.now()
        return convertMistypedValues(tx, found, { now, day: dayInTimezone(now, await timezoneOf(tx)) })
      }),
  },
]

export const orphanChecks: IntegrityCheck[] = referringTableNames.map((name) => ({
  code: 'polymorphic_orphan',
  title: 'Entry of a record that does not exist',
  severity: 'warning',
  hint: 'Delete the entry.',
  find: ({ inTenant }, limit) => inTenant((tx) => listOrphans(tx, name, limit)),
  repair: ({ inTenant }, found) =>
    inTenant((tx) =>
      deleteOrphans(
        tx,
        name,
        found.map(({ id }) => id),
      ),
    ),
}))

type CheckServices = Pick<Services, 'clock'>

export const crmChecks = (services: CheckServices): IntegrityCheck[] => [
  ...recordChecks(services),
  ...scoreChecks(services),
  ...customValueChecks(services),
  ...orphanChecks,
  ...counterChecks,
]

const recordChecks = ({ clock }: CheckServices): IntegrityCheck[] => [
  {
    code: 'owner_inactive',
    title: 'Open record of a deactivated user',
    severity: 'warning',
    hint: 'Assign the record to another user. A repair assigns it to the manager of its owner.',
    find: ({ inTenant }, limit) => inTenant((tx) => findRecordsOfInactiveOwners(tx, limit)),
    repair: ({ inTenant }, found) => inTenant((tx) => assignToManagers(tx, found, clock.now())),
  },
  defineRecordCheck({
    code: 'lead_converted_without_contact',
    title: 'Converted lead without a contact',
    severity: 'warning',
    hint: 'The contact was deleted, or the link was lost. A repair links the contact that was created from the lead, if it exists.',
    resourceType: 'lead',
    find: listConvertedWithoutContact,
    repair: repairContactLinks,
  }),
  defineRecordCheck({
    code: 'duplicate_email_contacts',
    title: 'Contacts with the same email address',
    severity: 'error',
    hint: 'Merge the contacts. The operator must check the index contacts_email_unique.',
    resourceType: 'contact',
    find: listDuplicateContacts,
  }),
]

const scoreChecks = ({ clock }: CheckServices): IntegrityCheck[] => [
  defineRecordCheck({
    code: 'lead_score_out_of_range',
    title: 'Lead score outside 0 to 100',
    severity: 'error',
    hint: 'Calculate the score again.',
    resourceType: 'lead',
    find: listScoresOutOfRange,
    repair: (tx, ids) => repairScores(tx, ids, clock.now()),
  }),
  defineRecordCheck({
    code: 'lead_grade_stale',
    title: 'Lead grade that does not match the score',
    severity: 'warning',
    hint: 'Calculate the score again.',
    resourceType: 'lead',
    find: findStaleGrades,
    repair: (tx, ids) => repairScores(tx, ids, clock.now()),
  }),
]

const counterDrift = {
  code: 'counter_drift',
  title: 'Counter that differs from the records',
  severity: 'warning',
  hint: 'Count the records again.',
} as const

const counterChecks: IntegrityCheck[] = [
  defineRecordCheck({
    ...counterDrift,
    resourceType: 'open_lead_count',
    find: listOpenLeadDrift,
    repair: correctOpenLeadCounts,
  }),
  defineRecordCheck({
    ...counterDrift,
    resourceType: 'assignment_state',
    find: listAssignmentDrift,
    async repair(tx, userIds) {
      await lockAssignmentState(tx, userIds.toSorted())
      return await correctAssignmentCounts(tx, userIds)
    },
  }),
  {
    code: 'rollup_drift',
    title: 'Day whose statistics differ from the leads',
    severity: 'warning',
    hint: 'Count the leads of the day again.',
    find: findAllDriftedDays,
    repair: ({ inTenant }, found) =>
      inTenant((tx) =>
        recountRollups(
          tx,
          found.map(({ id }) => id),
        ),
      ),
  },
]

const daysPerStatement = 20

async function findAllDriftedDays({ inTenant, signal }: IntegrityRun, limit: number) {
  const days = await inTenant(listCountedDays)
  const drifted: string[] = []
  for (let done = 0; done < days.length && drifted.length < limit; done += daysPerStatement) {
    signal.throwIfAborted()
    drifted.push(...(await inTenant((tx) => findDriftedDays(tx, days.slice(done, done + daysPerStatement)))))
  }
  return drifted.slice(0, limit).map((id) => ({ resource_type: 'lead_rollup', id }))
}
