// Worker process for tests that can render the test kinds of email.
import { readConfig } from '#platform/config'
import { openServices } from '../../../services.ts'
import { startWorker } from '../../../start-worker.ts'
import { addEmailKinds } from './email-kinds.fixture.ts'

export const emailWorkerProgram = [import.meta.filename]

if (import.meta.main) {
  const { services } = await openServices(readConfig(process.env))
  addEmailKinds(services)
  await services.jobQueue.start()
  await startWorker(services)
  services.log.info('worker started')
}
