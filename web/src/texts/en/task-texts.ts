export const taskTexts = {
  progress: (done: string, total: string | null) => (total === null ? `${done} done` : `${done} of ${total}`),
  done: 'Done',
  canceled: 'The task was canceled.',
}
