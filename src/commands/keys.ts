import { randomBytes } from 'node:crypto'
import type { Command } from 'commander'
import { generateKeyEntry } from '#platform/secrets'
import { type CliIo, printResult } from './operator-command.ts'
import { addCommand } from './options.ts'

export function addKeysCommands(program: Command, io: CliIo): void {
  const keys = program.command('keys').description('Manage signing and encryption keys')

  // Must work without configuration and database, because neither exists before the first keys.
  addCommand(
    keys,
    'new',
    'Generate new keys; add them to SIGNING_KEYS or SECRETS_KEYS before the existing ones',
  ).action(({ json }: { json?: true }) => {
    const [signing, secrets] = [generateKeyEntry(newKid('s')), generateKeyEntry(newKid('e'))]
    printResult(
      io,
      { command: 'keys new', args: {}, isJson: json },
      {
        json: { signing_key: signing, secrets_key: secrets },
        text: `SIGNING_KEYS=${signing}\nSECRETS_KEYS=${secrets}`,
      },
    )
  })
}

const newKid = (prefix: string): string => `${prefix}${randomBytes(4).toString('hex')}`
