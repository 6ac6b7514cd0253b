import type { Command } from 'commander'
import { revokeSessionsAsOperator } from '../modules/identity/users/operator/operator.ts'
import { type CliIo, runOperatorCommand } from './operator-command.ts'
import { addCommand, parseEmailAddress } from './options.ts'

type RevokeOptions = { tenant: string; user?: string; json?: true }

export function addSessionsCommands(program: Command, io: CliIo): void {
  const sessions = program.command('sessions').description('Manage sessions')

  addCommand(sessions, 'revoke', 'Revoke all sessions of a workspace or of one user')
    .requiredOption('--tenant <slug>', 'slug of the workspace')
    .option('--user <email>', 'email address of the user', parseEmailAddress)
    .action(async ({ tenant: slug, user: email, json }: RevokeOptions) => {
      const command = { command: 'sessions revoke', args: { slug }, isJson: json }
      await runOperatorCommand(io, command, async (tx, { now }) => {
        const { tenant, userId, sessionsEnded } = await revokeSessionsAsOperator(tx, slug, email, now)
        return {
          tenantId: tenant.id,
          args: { user_id: userId },
          json: { sessions_ended: sessionsEnded },
          text: `Revoked ${sessionsEnded} sessions.`,
        }
      })
    })
}
