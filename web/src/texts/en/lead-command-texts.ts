import { translate } from '../language.ts'

export const leadCommandTexts = translate('leadCommandTexts', {
  group: 'Lead',
  logCall: 'Log a call',
  logEmail: 'Log an email',
  writeNote: 'Write a note',
  createTask: 'Create a task',
  edit: 'Edit details',
  assign: 'Assign',
  setStatus: (status: string) => `Set status to ${status}`,
})
