import { randomBytes } from 'node:crypto'
import type { Command } from 'commander'
import { generateKeyEntry } from '#platform/secrets'
import { type CliIo, printResult } from './operator-command.ts'
import { addCommand } from './options.ts'
import { addReencryptCommand } from './reencrypt-secrets.ts'

export function addKeysCommands(program: Command, io: CliIo): void {
  const keys = program.command('keys').description('Manage signing and encryption keys')

  // Must work without configuration and database, because neither exists before the first keys.
  addCommand(
    keys,
    'new',
    'Generate new keys; add them to SIGNING_KEYS, SECRETS_KEYS or AUDIT_SEAL_KEYS before the existing ones',
  ).action(({ json }: { json?: true }) => {
    const [signing, secrets, audit] = ['s', 'e', 'a'].map((prefix) => generateKeyEntry(newKid(prefix)))
    printResult(
      io,
      { command: 'keys new', args: {}, isJson: json },
      {
        json: { signing_key: signing, secrets_key: secrets, audit_seal_key: audit },
        text: `SIGNING_KEYS=${signing}\nSECRETS_KEYS=${secrets}\nAUDIT_SEAL_KEYS=${audit}`,
      },
    )
  })
  addReencryptCommand(keys, io)
}

const newKid = (prefix: string): string => `${prefix}${randomBytes(4).toString('hex')}`
