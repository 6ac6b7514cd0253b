import { prepareCadence, waitUpTo } from './cadence-runs.race.ts'
import { type Race, runConcurrently } from './race.ts'

/** A task that gets an assignee, another sender and a result at once has one user, in its activity and in its run. */
export const assigneeAgainstSender: Race = {
  name: 'crm-5 assignee of a task against its sender and its completion',
  weight: 2,
  async prepare(app) {
    const { acme, cadence, enrollPerson, runDue, listRunsOf, rowsOf } = await prepareCadence(app, [{ type: 'task' }])
    const [colleague, successor] = [await acme.person('member'), await acme.person('member')]
    return async () => {
      const { lead, id } = await enrollPerson()
      await runDue()
      const [{ activity_id }] = await listRunsOf(id)

      const responses = await runConcurrently(
        async () => {
          await waitUpTo(20)
          const assignee = { assignee_id: colleague.userId }
          return await acme.manager.patch(`/api/leads/${lead.id}/activities/${activity_id}`, assignee)
        },
        async () => {
          await waitUpTo(20)
          const sender = { sender_id: successor.userId }
          return await acme.manager.patch(`/api/cadences/${cadence.id}/enrollments/${id}`, sender)
        },
        async () => {
          await waitUpTo(60)
          return await acme.member.post(`/api/cadences/tasks/${activity_id}/complete`, {})
        },
      )

      const [run] = await listRunsOf(id)
      const [task] = await rowsOf('select * from crm.activities where tenant_id = $1 and id = $2', [activity_id])
      const isDone = run.state === 'done'
      const userId = isDone ? null : colleague.userId
      const isOfColleague = isDone || task.assignee_id === colleague.userId
      const isConsistent = run.task_user_id === userId && isOfColleague && isDone === (task.completed_at !== null)
      const statuses = responses.map(({ status }) => status)
      const isExpected = [[200], [200, 409], [200, 403]].every((expected, at) => expected.includes(statuses[at]!))
      if (!isConsistent || !isExpected || isDone !== (statuses[2] === 200))
        return { violation: JSON.stringify({ statuses, run, task, bodies: responses.map(({ body }) => body) }) }
      return { outcome: isDone ? 'completion first' : 'assignee first' }
    }
  },
}
