import type { Defect } from './defect.ts'

export const accessDefects: readonly Defect[] = [
  {
    name: 'a table without a tenant policy',
    file: 'migrations/0013_identity_teams.sql',
    find: "call platform.isolate_by_tenant('identity.teams');",
    replace: `alter table identity.teams alter column tenant_id set default platform.current_tenant_id();
grant select, insert, update, delete on identity.teams to app, app_system;`,
    tests: ['src/platform/db/catalogue.test.ts', 'src/modules/identity/workspace/teams/teams.test.ts'],
  },
  {
    name: 'a route without a scope',
    file: 'src/modules/identity/workspace/teams/teams.routes.ts',
    find: "config: { scope: 'teams.delete' },",
    replace: 'config: {},',
    tests: ['src/modules/identity/workspace/teams/team-members.test.ts'],
  },
  {
    name: 'a route without a scope is accepted at startup',
    file: 'src/platform/http/access-control.ts',
    find: 'if ([scope, signedIn, isPublic].filter(Boolean).length !== 1)',
    replace: 'if ([scope, signedIn, isPublic].filter(Boolean).length > 1)',
    tests: ['src/platform/http/access-control.test.ts'],
  },
  {
    name: 'a wrong scope',
    file: 'src/modules/crm/work/merge/merge.routes.ts',
    find: "scopes: ['leads.delete']",
    replace: "scopes: ['leads.read']",
    tests: ['tests/matrix/matrix.test.ts'],
    environment: { MATRIX_NAMES: 'scopes' },
  },
  {
    name: 'a removed role check',
    file: 'src/modules/crm/work/merge/merge.routes.ts',
    find: "config: { scope: 'leads.write', roles: ['manager', 'admin'] },",
    replace: "config: { scope: 'leads.write' },",
    tests: ['src/modules/crm/work/merge/merge-leads.test.ts'],
  },
  {
    name: 'an id of another workspace is accepted',
    file: 'src/modules/library/content/create-content.service.ts',
    find: 'teamIds.findIndex((id) => !known.has(id))',
    replace: 'teamIds.findIndex((id) => !id && !known.has(id))',
    tests: ['tests/matrix/matrix.test.ts'],
    environment: { MATRIX_NAMES: 'isolation' },
  },
  {
    name: 'a revoked API key is accepted',
    file: 'src/modules/identity/credentials/request-auth/request-auth.rules.ts',
    find: "  if (context.key_state !== 'live') throw revokedApiKey()\n",
    replace: '',
    tests: ['src/modules/identity/credentials/api-keys/revoked-keys.test.ts'],
  },
  {
    name: 'a revoked session is accepted',
    file: 'src/modules/identity/credentials/request-auth/request-auth.rules.ts',
    find: "  if (context.session_state !== 'live') throw revokedToken()\n",
    replace: '',
    tests: ['src/modules/identity/sign-in/own-sessions/own-sessions.test.ts'],
  },
  {
    name: 'a refresh token is accepted twice',
    file: 'src/modules/identity/workspace/sessions/rotation.rules.ts',
    find: "isRecent && newest.seq === token.seq + 1 ? 'repeat' : 'reuse'",
    replace: "isRecent && newest.seq === token.seq + 1 ? 'repeat' : 'rotate'",
    tests: ['src/modules/identity/workspace/sessions/rotation.rules.test.ts'],
  },
  {
    name: 'an import across module boundaries',
    file: 'src/modules/identity/workspace/teams/teams.service.ts',
    find: "import { addTeamMembers } from './team-members.service.ts'",
    replace: "import '#modules/crm'\nimport { addTeamMembers } from './team-members.service.ts'",
    tests: ['src/modules.test.ts'],
  },
]
