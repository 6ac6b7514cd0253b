import type { Command } from 'commander'
import { systemActor } from '#platform/access'
import { createSealSigner, verifyAuditChain } from '#platform/audit'
import { readConfig } from '#platform/config'
import { enterTenant } from '#platform/db'
import { getTenantBySlug } from '../modules/identity/users/operator/operator.ts'
import { type CliIo, type JsonOption, runOperatorCommand } from './operator-command.ts'
import { addCommand } from './options.ts'

export function addAuditCommands(program: Command, io: CliIo): void {
  const audit = program.command('audit').description('Verify audit logs')

  addCommand(audit, 'verify', 'Verify the entries and signatures of the audit log of a workspace')
    .argument('<slug>')
    .action(async (slug: string, { json }: JsonOption) => {
      const command = { command: 'audit verify', args: { slug }, isJson: json }
      const signer = createSealSigner(readConfig(io.environment))
      await runOperatorCommand(io, command, async (tx) => {
        const { id } = await getTenantBySlug(tx, slug)
        const { seals, entries, mismatch } = await verifyAuditChain(await enterTenant(tx, systemActor(id)), { signer })
        if (mismatch)
          throw new Error(
            `The audit log of ${slug} was modified: ${mismatch.kind} mismatch at seal ${mismatch.sealId}.`,
          )
        const text = `The audit log of ${slug} is intact: ${entries} entries in ${seals} seals.`
        return { tenantId: id, json: { seals, entries }, text }
      })
    })
}
