import { Argument, type Command } from 'commander'
import { type DeadJob, listDeadJobs, type Queue, queues, redrive } from '#platform/jobs'
import { answer, type Desk, operate, withJobs } from './operate.ts'
import { commandOf } from './options.ts'

type Revival = { job?: string; json?: true }

const queueName = () => new Argument('<queue>', 'which queue').choices(queues)

export function addJobsCommands(program: Command, desk: Desk): void {
  const jobs = program.command('jobs').description('Jobs that were given up')

  commandOf(jobs, 'dead', 'Show the jobs of a queue that failed at every attempt, the latest first')
    .addArgument(queueName())
    .action(async (queue: Queue, { json }: { json?: true }) => {
      const dead = await withJobs(desk, () => listDeadJobs(queue))
      const text = dead.length ? dead.map(line).join('\n') : `No job of ${queue} was given up.`
      answer(desk, { command: 'jobs dead', args: { queue }, isJson: json }, { json: { jobs: dead }, text })
    })

  commandOf(jobs, 'redrive', 'Give jobs that were given up all their attempts anew')
    .addArgument(queueName())
    .option('--job <name>', 'only jobs of this name')
    .action(async (queue: Queue, { job, json }: Revival) => {
      await operate(desk, { command: 'jobs redrive', args: { queue, job }, isJson: json }, async () => {
        const redriven = await withJobs(desk, () => redrive(queue, { job }))
        return {
          tenantId: null,
          args: { redriven },
          json: { redriven },
          text: `${redriven} jobs wait to be run again.`,
        }
      })
    })
}

const line = ({ died_at, job, attempts, tenant_id, error }: DeadJob) =>
  `${new Date(died_at).toISOString()}  ${job}  tenant ${tenant_id}  ${attempts} attempts  ${error?.message ?? ''}`
