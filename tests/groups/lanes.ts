/** Work of the build: a process with test files or a static check. */
export type Task = {
  name: string
  /** Tasks that mostly wait have a lane of their own, so that they do not occupy a core. */
  lane: 'busy' | 'waiting'
  /** Expected duration. Longer tasks start first, so that no lane is left with a long one at the end. */
  seconds: number
  run(): Promise<TaskResult>
}

/** The output is printed if the task failed. */
type TaskResult = { hasPassed: boolean; output: string }

const laneCounts = { busy: 2, waiting: 1 }

/** Runs all tasks. */
export async function runInLanes(tasks: readonly Task[], onEnd: (task: Task, result: TaskResult) => void) {
  const queue = tasks.toSorted((one, other) => other.seconds - one.seconds)
  const runLane = async (lane: Task['lane']) => {
    for (let task = takeNext(queue, lane); task; task = takeNext(queue, lane)) {
      onEnd(task, await task.run())
    }
  }
  const lanes = Object.entries(laneCounts).flatMap(([lane, count]) =>
    Array<Task['lane']>(count).fill(lane as Task['lane']),
  )
  await Promise.all(lanes.map(runLane))
}

/** A lane whose own tasks have all started takes those of the others, because no lane uses a whole core all the time. */
function takeNext(queue: Task[], lane: Task['lane']): Task | undefined {
  const own = queue.findIndex((task) => task.lane === lane)
  return queue.splice(Math.max(own, 0), 1)[0]
}
