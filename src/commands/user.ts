import type { Command } from 'commander'
import { inviteAdmin, resetPassword } from '../modules/identity/tenants/operator.ts'
import { type Desk, operate } from './operate.ts'
import { commandOf, emailAddress, textUpTo } from './options.ts'
import { linkText } from './tenant-texts.ts'

type Named = { tenant: string; email: string; name?: string; json?: true }

export function addUserCommands(program: Command, desk: Desk): void {
  const user = program.command('user').description('People of a workspace, when its own admins cannot help')

  commandOf(user, 'invite-admin', 'Add an admin to a workspace and print a link that sets a password')
    .requiredOption('--tenant <slug>', 'the workspace')
    .requiredOption('--email <email>', 'address of the new admin', emailAddress)
    .option('--name <name>', 'name of the new admin', textUpTo(120))
    .action(async ({ tenant: slug, email, name, json }: Named) => {
      const order = { command: 'user invite-admin', args: { slug }, isJson: json }
      await operate(desk, order, async (tx, circumstances) => {
        const { tenant, admin, invitation } = await inviteAdmin(tx, slug, { email, name }, circumstances)
        return {
          tenantId: tenant.id,
          args: { user_id: admin.id },
          json: { admin: { id: admin.id, email: admin.email }, invitation },
          text: linkText(admin.email, invitation),
        }
      })
    })

  commandOf(user, 'reset-password', 'Print a link with which a person sets a new password')
    .requiredOption('--tenant <slug>', 'the workspace')
    .requiredOption('--email <email>', 'address of the person', emailAddress)
    .action(async ({ tenant: slug, email, json }: Named) => {
      const order = { command: 'user reset-password', args: { slug }, isJson: json }
      await operate(desk, order, async (tx, circumstances) => {
        const { tenant, user, reset } = await resetPassword(tx, slug, email, circumstances)
        return {
          tenantId: tenant.id,
          args: { user_id: user.id },
          json: { user: { id: user.id, email: user.email }, reset },
          text: linkText(user.email, reset),
        }
      })
    })
}
