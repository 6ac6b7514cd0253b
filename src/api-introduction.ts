import { describeResource, resources, type Scope } from '#platform/access'

const scopesWithoutKeys: readonly Scope[] = [
  'admin.write',
  'admin.delete',
  'integrations.read',
  'integrations.write',
  'integrations.delete',
]
const scopesPartlyWithoutKeys: readonly Scope[] = [
  'users.write',
  'users.delete',
  'leads.write',
  'contacts.write',
  'enrichment.write',
  'admin.read',
  'webhooks.write',
]

const describeScopeName = (scope: Scope): string =>
  `\`${scope}\`${scopesWithoutKeys.includes(scope) ? ' ¹' : scopesPartlyWithoutKeys.includes(scope) ? ' ²' : ''}`

const scopeRows = resources
  .map((resource) => ({ resource, name: describeResource(resource) }))
  .filter(({ name }) => name !== null)
  .map(({ resource, name }) => {
    const names = (['read', 'write', 'delete'] as const).map((action) => describeScopeName(`${resource}.${action}`))
    return `| ${name} | ${names.join(' | ')} |`
  })

export const introduction = `Leads, contacts, accounts and deals; segments, campaigns, cadences and enrichment; surveys; usage of your product; sales content, collections and rooms; discussions in community rooms; users, teams, API keys, webhooks, settings and background tasks.

# Your first call

Each workspace has its own URL. Sign in there, then send the access token with every request:

\`\`\`sh
curl https://acme.example.com/api/auth/login -H 'Content-Type: application/json' \\
  -d '{ "email": "ada@acme.example", "password": "…" }'

curl https://acme.example.com/api/users/ -H 'Authorization: Bearer <access_token>'
\`\`\`

# Getting an API key

Programs use an API key instead of an access token. Create one with the access token of a user:

\`\`\`sh
curl https://acme.example.com/api/api-keys -H 'Authorization: Bearer <access_token>' \\
  -H 'Content-Type: application/json' -d '{ "name": "Website form", "scopes": ["leads.read", "leads.write"] }'
\`\`\`

The response contains the key once. Send it as \`Authorization: Bearer svc_live_…\` or \`Authorization: ApiKey svc_live_…\`.

A key acts as the user who created it. It can do what its scopes allow, as far as the role of that user allows it too. With the
preset \`read_only\` it cannot write at all; the preset \`full\` stands for all scopes. An operation lists the scopes that it requires.

| Resource | Read | Create and update | Delete |
|---|---|---|---|
${scopeRows.join('\n')}

¹ No operation of this scope accepts API keys: sign in instead. ² Some operations of this scope do not accept API keys, as their
descriptions say.

\`crm.read\`, \`crm.write\` and \`crm.delete\` grant the action on every resource. Scopes that are not in the table are reserved and
grant no access yet.

# Requests

- Bodies are JSON in UTF-8, with at most 1 MiB (16 KiB under \`/api/auth/\`), 50,000 values and 20 levels. Unknown fields and query
  parameters are rejected.
- Ids are UUIDs, timestamps are RFC 3339 in UTC (requests may use another offset, but no leap seconds), money is \`{ "amount": "1250.00", "currency": "EUR" }\`.
- \`PATCH\` changes only the fields that are sent; \`null\` clears a field.
- A path works with and without a trailing slash.
- While an admin impersonates a user, every response has the header \`X-Impersonated-By\`.

# Lists

Page through a list with \`limit\` and \`offset\`, or with \`cursor\`, which stays stable while the list changes. The headers \`Link\`
and \`X-Total-Count\` have the same information as the body. Totals are exact up to 1,000; \`count=exact\` counts all items.

# Safe retries

Send \`Idempotency-Key\` with a \`POST\` to repeat it safely after a lost response: it is processed once. Send \`If-Match\` with an
update to reject it if the record has changed in between.

# Rate limits

A session or API key can send 1,200 requests per minute, 300 of them at once; all sessions and API keys of a user together 6,000, and
a workspace 30,000. Requests without a valid credential and refused requests count against the network they come from: 600 per
minute, 200 of them at once. JSON bodies of more than 64 KiB count by their size: a workspace can send 2 MiB of them per second, 40 MiB at
once. Some operations have limits of their own. \`RateLimit-Policy\` lists the limits of a request
(\`q\` requests at once, all of them available again after \`w\` seconds), \`RateLimit\` what remains of them. Above a limit the response is 429; wait for the number of seconds in \`Retry-After\`.

# Webhooks

An event of the workspace can be sent to your server, as described under Webhook events. Deliveries follow
[Standard Webhooks](https://www.standardwebhooks.com): verify \`webhook-signature\` with the secret of the endpoint before you use the body.
\`data\` tells what changed, \`object\` is the record when the delivery is sent, or null if it was deleted. Events can arrive more than once
and in any order: \`id\` identifies the event, and of two events about the same \`subject\` the one with the higher \`sequence\` is newer.

# Errors

Every error is \`application/problem+json\` (RFC 9457). \`code\` is stable and meant for programs, \`detail\` is meant for people, and
\`type\` links to a page that explains how to resolve the error. \`X-Request-Id\` identifies the request in our logs.`
