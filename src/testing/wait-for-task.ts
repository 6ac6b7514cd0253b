import { waitForValue } from './wait-until.ts'
import type { createTestWorkspace } from './workspace.ts'

type Workspace = Pick<Awaited<ReturnType<typeof createTestWorkspace>>, 'admin'>

/** Waits until a background task has ended, and returns its status. */
export const waitForTask = ({ admin }: Workspace, { status_url }: { status_url: string }, seconds?: number) =>
  waitForValue(
    async () => (await admin.get(status_url)).body,
    ({ state }) => !['queued', 'running'].includes(state),
    seconds,
  )
