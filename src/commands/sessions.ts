import type { Command } from 'commander'
import { revokeSessions } from '../modules/identity/tenants/operator.ts'
import { type Desk, operate } from './operate.ts'
import { commandOf, emailAddress } from './options.ts'

type Revocation = { tenant: string; user?: string; json?: true }

export function addSessionsCommands(program: Command, desk: Desk): void {
  const sessions = program.command('sessions').description('Who is signed in')

  commandOf(sessions, 'revoke', 'Sign out everyone of a workspace, or one person everywhere')
    .requiredOption('--tenant <slug>', 'the workspace')
    .option('--user <email>', 'only this person', emailAddress)
    .action(async ({ tenant: slug, user: email, json }: Revocation) => {
      const order = { command: 'sessions revoke', args: { slug }, isJson: json }
      await operate(desk, order, async (tx, { now }) => {
        const { tenant, userId, sessionsEnded } = await revokeSessions(tx, slug, email, now)
        return {
          tenantId: tenant.id,
          args: { user_id: userId },
          json: { sessions_ended: sessionsEnded },
          text: `${sessionsEnded} sessions were ended.`,
        }
      })
    })
}
