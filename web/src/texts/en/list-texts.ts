export const listTexts = {
  group: 'List',
  next: 'Next row',
  previous: 'Previous row',
  open: 'Open row',
  close: 'Close the open record',
  search: 'Search in this list',
  position: (position: number, count: number) => `${position} of ${count}`,
}
