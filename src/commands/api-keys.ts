import { type Command, InvalidArgumentError } from 'commander'
import { Value } from 'typebox/value'
import { Id } from '#platform/schema'
import { limitApiKey, revokeKeyAsOperator } from '../modules/identity/users/operator/operator.ts'
import { type CliIo, runOperatorCommand } from './operator-command.ts'
import { addCommand, parseWholeNumber } from './options.ts'

type ApiKeyOptions = { tenant: string; json?: true }

export function addApiKeysCommands(program: Command, io: CliIo): void {
  const keys = program.command('api-keys').description('Manage API keys of a workspace')

  addCommand(keys, 'limit', 'Set the rate limit of an API key (default: 1,200 requests per minute)')
    .argument('<key-id>', 'id of the API key', parseId)
    .requiredOption('--tenant <slug>', 'slug of the workspace')
    .requiredOption('--per-minute <number>', '1 to 6000, or none for the default', parseNumberOrNone)
    .action(
      async (keyId: string, { tenant: slug, perMinute, json }: ApiKeyOptions & { perMinute: number | 'none' }) => {
        const requestsPerMinute = perMinute === 'none' ? null : perMinute
        const command = {
          command: 'api-keys limit',
          args: { slug, key_id: keyId, per_minute: perMinute },
          isJson: json,
        }
        await runOperatorCommand(io, command, async (tx) => {
          const { tenant, key } = await limitApiKey(tx, slug, keyId, requestsPerMinute)
          return {
            tenantId: tenant.id,
            json: { api_key: { id: key.id, name: key.name, requests_per_minute: requestsPerMinute } },
            text:
              requestsPerMinute === null
                ? `Reset the rate limit of API key ${key.name} to the default.`
                : `Set the rate limit of API key ${key.name} to ${requestsPerMinute} requests per minute.`,
          }
        })
      },
    )

  addCommand(keys, 'revoke', 'Revoke an API key permanently')
    .argument('<key-id>', 'id of the API key', parseId)
    .requiredOption('--tenant <slug>', 'slug of the workspace')
    .action(async (keyId: string, { tenant: slug, json }: ApiKeyOptions) => {
      const command = { command: 'api-keys revoke', args: { slug, key_id: keyId }, isJson: json }
      await runOperatorCommand(io, command, async (tx) => {
        const { tenant, key, revoked } = await revokeKeyAsOperator(tx, slug, keyId)
        return {
          tenantId: tenant.id,
          json: { api_key: { id: key.id, name: key.name }, api_keys_revoked: revoked },
          text: revoked ? `Revoked API key ${key.name}.` : `API key ${key.name} was already revoked.`,
        }
      })
    })
}

function parseId(text: string): string {
  if (!Value.Check(Id, text)) throw new InvalidArgumentError('Must be a valid id.')
  return text
}

const parseNumberOrNone = (text: string) => (text === 'none' ? text : parseWholeNumber(1, 6_000)(text))
