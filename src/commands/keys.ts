import { randomBytes } from 'node:crypto'
import type { Command } from 'commander'
import { newKeyLine } from '#platform/secrets'
import { answer, type Desk } from './operate.ts'
import { commandOf } from './options.ts'

export function addKeysCommands(program: Command, desk: Desk): void {
  const keys = program.command('keys').description('Keys that sign tokens and encrypt secrets')

  // It needs neither configuration nor database: without keys there is none to start with.
  commandOf(
    keys,
    'new',
    'Print new keys; put them first in SIGNING_KEYS or SECRETS_KEYS, before the ones in use',
  ).action(({ json }: { json?: true }) => {
    const [signing, secrets] = [newKeyLine(newKid('s')), newKeyLine(newKid('e'))]
    answer(
      desk,
      { command: 'keys new', args: {}, isJson: json },
      {
        json: { signing_key: signing, secrets_key: secrets },
        text: `SIGNING_KEYS=${signing}\nSECRETS_KEYS=${secrets}`,
      },
    )
  })
}

const newKid = (prefix: string): string => `${prefix}${randomBytes(4).toString('hex')}`
