import type { Defect } from './defect.ts'

export const changeDefects: readonly Defect[] = [
  {
    name: 'a lost event',
    file: 'src/modules/identity/workspace/teams/teams.service.ts',
    find: '  await emit(tx, teamCreated, team, { name: team.name })\n',
    replace: '',
    tests: ['src/modules/identity/workspace/teams/teams.test.ts'],
  },
  {
    name: 'a missing audit entry',
    file: 'src/modules/identity/workspace/teams/teams.service.ts',
    find: "  await recordAudit(tx, 'team.deleted', { id: teamId, label: team.name, before: team })\n",
    replace: '',
    tests: ['src/modules/identity/workspace/teams/teams.test.ts'],
  },
  {
    name: 'a missing lock',
    file: 'src/modules/identity/credentials/api-keys/api-keys.queries.ts',
    find: "  await acquireAdvisoryLock(tx, 'api_keys')\n",
    replace: '',
    tests: ['src/modules/identity/credentials/api-keys/key-races.test.ts'],
  },
  {
    name: 'locks taken out of order',
    file: 'src/modules/crm/people/contacts/update-contacts.service.ts',
    find: `  const accountNames = await lockAccountNamesShared(
    tx,
    changes.flatMap(({ account_id }) => account_id ?? []),
  )
  const contacts = await lockContacts(
    tx,
    updates.map(({ id }) => id),
  )
`,
    replace: `  const contacts = await lockContacts(
    tx,
    updates.map(({ id }) => id),
  )
  const accountNames = await lockAccountNamesShared(
    tx,
    changes.flatMap(({ account_id }) => account_id ?? []),
  )
`,
    tests: ['src/modules/crm/people/accounts/account-contacts.test.ts'],
  },
  {
    name: 'a lost update',
    file: 'src/modules/crm/people/contacts/update-contacts.service.ts',
    find: '  assertVersion(before, expectedVersion)\n',
    replace: '',
    tests: ['src/modules/crm/people/contacts/contacts.test.ts'],
  },
  {
    name: 'an ignored idempotency key',
    file: 'src/platform/http/idempotency-key.ts',
    find: "if (result.kind === 'replay') {",
    replace: "if (result.kind === 'replay' && result.status >= 300) {",
    tests: ['src/platform/http/idempotency-key.test.ts'],
  },
  {
    name: 'a task that starts from the beginning after a crash',
    file: 'src/modules/identity/sign-in/current-session/task-batches.flow.ts',
    find: 'let progress = checkpoint.value ?? start',
    replace: 'let progress = start',
    tests: ['src/modules/crm/work/lead-bulk/bulk-task.test.ts'],
  },
]
