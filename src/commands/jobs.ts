import { Argument, type Command } from 'commander'
import { type DeadJob, listDeadJobs, type Queue, queues, redriveDeadJobs } from '#platform/jobs'
import { type CliIo, printResult, runOperatorCommand, withJobs } from './operator-command.ts'
import { addCommand } from './options.ts'

type RedriveOptions = { job?: string; json?: true }

const queueArgument = () => new Argument('<queue>', 'name of the queue').choices(queues)

export function addJobsCommands(program: Command, io: CliIo): void {
  const jobs = program.command('jobs').description('Manage the dead-letter queues')

  addCommand(jobs, 'dead', 'List the dead jobs of a queue, newest first')
    .addArgument(queueArgument())
    .action(async (queue: Queue, { json }: { json?: true }) => {
      const dead = await withJobs(io, (jobQueue) => listDeadJobs(jobQueue, queue))
      const text = dead.length ? dead.map(formatDeadJob).join('\n') : `The queue ${queue} has no dead jobs.`
      printResult(io, { command: 'jobs dead', args: { queue }, isJson: json }, { json: { jobs: dead }, text })
    })

  addCommand(jobs, 'redrive', 'Retry dead jobs with a fresh attempt count')
    .addArgument(queueArgument())
    .option('--job <name>', 'only jobs with this name')
    .action(async (queue: Queue, { job, json }: RedriveOptions) => {
      await runOperatorCommand(io, { command: 'jobs redrive', args: { queue, job }, isJson: json }, async () => {
        const redriven = await withJobs(io, (jobQueue) => redriveDeadJobs(jobQueue, queue, { job }))
        return {
          tenantId: null,
          args: { redriven },
          json: { redriven },
          text: `${redriven} jobs queued for retry.`,
        }
      })
    })
}

const formatDeadJob = ({ failed_at, job, attempts, tenant_id, error }: DeadJob) =>
  `${new Date(failed_at).toISOString()}  ${job}  tenant ${tenant_id}  ${attempts} attempts  ${error?.message ?? ''}`
