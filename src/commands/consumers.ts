import type { Command } from 'commander'
import { inSystem } from '#platform/db'
import { type Consumer, deleteConsumer, listConsumers } from '#platform/outbox'
import { type CliIo, type JsonOption, printResult, runOperatorCommand, withSystemDb } from './operator-command.ts'
import { addCommand } from './options.ts'

export function addConsumersCommands(program: Command, io: CliIo): void {
  const consumers = program.command('consumers').description('Manage the registered event consumers')

  addCommand(consumers, 'list', 'List the event consumers and when a process last registered them').action(
    async ({ json }: JsonOption) => {
      await withSystemDb(io, async (systemDb) => {
        const registered = await inSystem(systemDb, listConsumers)
        const text = registered.map(formatConsumer).join('\n')
        printResult(
          io,
          { command: 'consumers list', args: {}, isJson: json },
          { json: { consumers: registered }, text },
        )
      })
    },
  )

  addCommand(consumers, 'delete', 'Delete an event consumer that the current version no longer has')
    .argument('<consumer>', 'name of the consumer')
    .action(async (consumer: string, { json }: JsonOption) => {
      await runOperatorCommand(io, { command: 'consumers delete', args: { consumer }, isJson: json }, async (tx) => {
        await deleteConsumer(tx, consumer)
        return { tenantId: null, json: { deleted: consumer }, text: `Deleted the consumer ${consumer}.` }
      })
    })
}

const formatConsumer = ({ consumer, types, seen_at }: Consumer) =>
  `${seen_at.toISOString()}  ${consumer}  ${types.length} event types`
