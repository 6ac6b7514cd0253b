import type { Defect } from './defect.ts'

export const readDefects: readonly Defect[] = [
  {
    name: 'a query without an index',
    file: 'src/modules/identity/workspace/teams/teams.queries.ts',
    find: "teams.where('parent_team_id', '=', parent_team_id)",
    replace: "teams.where(sql<string>`parent_team_id::text`, '=', parent_team_id)",
    tests: ['src/modules/identity/workspace/teams/teams.plans.test.ts'],
  },
  {
    name: 'a missing index',
    file: 'migrations/0013_identity_teams.sql',
    find: 'create index team_members_by_adder on identity.team_members (tenant_id, added_by);\n',
    replace: '',
    tests: ['src/platform/db/catalogue.test.ts'],
  },
  {
    name: 'a cursor that skips rows with the same sort key',
    file: 'src/platform/db/keyset/keyset-page.ts',
    find: '{ key, id }: CursorPosition, order: SortOrder): Condition {\n',
    replace: `{ key }: CursorPosition, order: SortOrder): Condition {
  const id = (order.isDescending ? '0' : 'f').repeat(32)
`,
    tests: ['src/modules/crm/people/contacts/list-contacts.test.ts'],
  },
  {
    name: 'a cursor that repeats a row',
    file: 'src/modules/identity/workspace/teams/teams.queries.ts',
    find: "eb(eb.refTuple('name_key', 'id'), order.after,",
    replace: "eb(eb.refTuple('name_key', 'id'), '>=',",
    tests: ['src/modules/identity/workspace/teams/teams.test.ts'],
  },
  {
    name: 'a deleted record in a list',
    file: 'src/modules/crm/people/contacts/list-contacts.queries.ts',
    find: 'sql<SqlBool>`crm.contacts.deleted_at is null`',
    replace: 'sql<SqlBool>`true`',
    tests: ['src/modules/crm/people/contacts/contacts.test.ts'],
  },
  {
    name: 'a wrong total',
    file: 'src/modules/crm/deals/forecast/forecast.rules.ts',
    find: 'best_case_total: money(closed + commit + best_case)',
    replace: 'best_case_total: money(commit + best_case)',
    tests: ['src/modules/crm/deals/forecast/forecast.test.ts'],
  },
  {
    name: 'a response with an undeclared field',
    file: 'src/platform/http/validation/validation.ts',
    find: 'return (value) => serialize()(value)',
    replace: 'return (value) => (serialize(), JSON.stringify(value))',
    tests: ['src/modules/identity/workspace/teams/teams.test.ts'],
  },
  {
    name: 'a response with an undeclared status',
    file: 'src/modules/identity/workspace/teams/teams.routes.ts',
    find: 'handler: (request) => request.inTenant((tx) => createTeam(tx, request.actor, request.body)),',
    replace:
      'handler: (request, reply) => (reply.code(202), request.inTenant((tx) => createTeam(tx, request.actor, request.body))),',
    tests: ['src/modules/identity/workspace/teams/team-members.test.ts'],
  },
]
