/** What the reference opens with. */
export const introduction = `Marketing and revenue in one place: leads, contacts, campaigns, surveys, community, enablement.

# Your first call

Each workspace has its own address. Sign in there, then send the access token with every request:

\`\`\`sh
curl https://acme.example.com/api/auth/login -H 'Content-Type: application/json' \\
  -d '{ "email": "ada@acme.example", "password": "…" }'

curl https://acme.example.com/api/users/ -H 'Authorization: Bearer <access_token>'
\`\`\`

Programs use an API key in place of the access token: \`Authorization: Bearer svc_live_…\`, or \`Authorization: ApiKey svc_live_…\`.

An admin may act as somebody else for a while. Every answer then says who is behind it: \`X-Impersonated-By\`.

# Requests

- Bodies are JSON in UTF-8. Fields and query parameters that are not described here are refused.
- Ids are UUIDs, instants are RFC 3339 in UTC, money is \`{ "amount": "1250.00", "currency": "EUR" }\`.
- \`PATCH\` changes only what is sent; \`null\` clears a field.
- A path answers the same with and without a slash at its end.

# Lists

\`limit\` and \`offset\` page through a list; \`cursor\` does so without losing its place while the list changes. \`Link\` and
\`X-Total-Count\` tell the same as the body. Totals are exact up to 10,000; \`count=exact\` counts to the end.

# Safe repetition

Send \`Idempotency-Key\` with a \`POST\`, and repeating it after a lost answer does nothing twice. Send \`If-Match\` with a change,
and it is made only if nobody else was faster.

# Errors

Every refusal is \`application/problem+json\` (RFC 9457). Its \`code\` is for programs and never changes, \`detail\` is for people,
and \`type\` leads to a page that says what to do. \`X-Request-Id\` names the request in our logs.`
