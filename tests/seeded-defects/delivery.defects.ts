import type { Defect } from './defect.ts'

export const deliveryDefects: readonly Defect[] = [
  {
    name: 'an event is delivered twice',
    file: 'src/platform/outbox/deliver.ts',
    find: 'events.filter(({ id }) => undelivered.has(id)) as',
    replace: 'events.filter(({ id }) => id || undelivered.has(id)) as',
    tests: ['src/platform/outbox/relay.test.ts'],
  },
  {
    name: 'two dispatchers send the same email',
    file: 'src/modules/email/messages/email-messages.queries.ts',
    find: "    .where('state', '=', sql.lit('waiting'))\n    .orderBy('id')\n    .forUpdate()\n    .skipLocked()\n",
    replace: "    .orderBy('id')\n",
    tests: ['src/modules/email/messages/dispatch-emails.test.ts'],
  },
  {
    name: 'two dispatchers send the same webhook',
    file: 'src/modules/operations/webhook-dispatch/dispatch.queries.ts',
    find: "eb('leased_until', '<=', now)",
    replace: "eb('leased_until', 'is not', null)",
    tests: ['src/modules/operations/webhook-dispatch/breaker.test.ts'],
  },
  {
    name: 'an opt-out is ignored',
    file: 'src/modules/email/messages/claim-emails.service.ts',
    find: 'if (!permission.allowed) refusals',
    replace: "if (!permission.allowed && permission.code === 'none') refusals",
    tests: ['src/modules/email/messages/dispatch-emails.test.ts'],
  },
  {
    name: 'a private address is accepted',
    file: 'src/platform/egress/public-address.ts',
    find: "if (effective.range() !== 'unicast') return false",
    replace: "if (effective.range() === 'loopback') return false",
    tests: ['src/platform/egress/ssrf.test.ts'],
  },
]
