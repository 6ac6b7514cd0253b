import { type Command, InvalidArgumentError } from 'commander'
import { Value } from 'typebox/value'
import { Id } from '#platform/schema'
import { limitApiKey, revokeKeyAsOperator } from '../modules/identity/tenants/operator.ts'
import { type Desk, operate } from './operate.ts'
import { commandOf, wholeNumber } from './options.ts'

type Given = { tenant: string; json?: true }

export function addApiKeysCommands(program: Command, desk: Desk): void {
  const keys = program.command('api-keys').description('API keys of a workspace')

  commandOf(keys, 'limit', 'Let a key make more or fewer requests than the usual 1,200 a minute')
    .argument('<key-id>', 'the id of the key', recordId)
    .requiredOption('--tenant <slug>', 'the workspace')
    .requiredOption('--per-minute <number>', 'from 1 to 6000, or none for the usual limit', numberOrNone)
    .action(async (keyId: string, { tenant: slug, perMinute, json }: Given & { perMinute: number | 'none' }) => {
      const requestsPerMinute = perMinute === 'none' ? null : perMinute
      const order = { command: 'api-keys limit', args: { slug, key_id: keyId, per_minute: perMinute }, isJson: json }
      await operate(desk, order, async (tx) => {
        const { tenant, key } = await limitApiKey(tx, slug, keyId, requestsPerMinute)
        return {
          tenantId: tenant.id,
          json: { api_key: { id: key.id, name: key.name, requests_per_minute: requestsPerMinute } },
          text: `The key ${key.name} may make ${requestsPerMinute ?? 'the usual number of'} requests a minute.`,
        }
      })
    })

  commandOf(keys, 'revoke', 'Revoke a key for good')
    .argument('<key-id>', 'the id of the key', recordId)
    .requiredOption('--tenant <slug>', 'the workspace')
    .action(async (keyId: string, { tenant: slug, json }: Given) => {
      const order = { command: 'api-keys revoke', args: { slug, key_id: keyId }, isJson: json }
      await operate(desk, order, async (tx) => {
        const { tenant, key, revoked } = await revokeKeyAsOperator(tx, slug, keyId)
        return {
          tenantId: tenant.id,
          json: { api_key: { id: key.id, name: key.name }, api_keys_revoked: revoked },
          text: revoked ? `The key ${key.name} is revoked.` : `The key ${key.name} had been revoked before.`,
        }
      })
    })
}

function recordId(text: string): string {
  if (!Value.Check(Id, text)) throw new InvalidArgumentError('This is no id of a record.')
  return text
}

const numberOrNone = (text: string) => (text === 'none' ? text : wholeNumber(1, 6_000)(text))
