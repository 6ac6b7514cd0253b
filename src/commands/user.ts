import type { Command } from 'commander'
import { createPasswordResetLink, inviteAdmin } from '../modules/identity/users/operator/operator.ts'
import { type CliIo, runOperatorCommand } from './operator-command.ts'
import { addCommand, parseEmailAddress, parseTextUpTo } from './options.ts'
import { formatPasswordLink } from './tenant-maintenance.ts'

type UserOptions = { tenant: string; email: string; name?: string; json?: true }

export function addUserCommands(program: Command, io: CliIo): void {
  const user = program.command('user').description('Manage users of a workspace when its admins cannot')

  addCommand(user, 'invite-admin', 'Invite an admin to a workspace and print a link to set a password')
    .requiredOption('--tenant <slug>', 'slug of the workspace')
    .requiredOption('--email <email>', 'email address of the new admin', parseEmailAddress)
    .option('--name <name>', 'name of the new admin', parseTextUpTo(120))
    .action(async ({ tenant: slug, email, name, json }: UserOptions) => {
      const command = { command: 'user invite-admin', args: { slug }, isJson: json }
      await runOperatorCommand(io, command, async (tx, context) => {
        const { tenant, admin, invitation } = await inviteAdmin(tx, slug, { email, name }, context)
        return {
          tenantId: tenant.id,
          args: { user_id: admin.id },
          json: { admin: { id: admin.id, email: admin.email }, invitation },
          text: formatPasswordLink(admin.email, invitation),
        }
      })
    })

  addCommand(user, 'reset-password', 'Print a link for a user to set a new password')
    .requiredOption('--tenant <slug>', 'slug of the workspace')
    .requiredOption('--email <email>', 'email address of the user', parseEmailAddress)
    .action(async ({ tenant: slug, email, json }: UserOptions) => {
      const command = { command: 'user reset-password', args: { slug }, isJson: json }
      await runOperatorCommand(io, command, async (tx, context) => {
        const { tenant, user, reset } = await createPasswordResetLink(tx, slug, email, context)
        return {
          tenantId: tenant.id,
          args: { user_id: user.id },
          json: { user: { id: user.id, email: user.email }, reset },
          text: formatPasswordLink(user.email, reset),
        }
      })
    })
}
