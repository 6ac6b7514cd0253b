// Spreadsheets evaluate cells that start with these characters. Apostrophes before them are escaped too, so that the escape can be
// removed without loss.
const formula = /^'*[=+\-@\t\r\0]/
const escaped = /^'+[=+\-@\t\r\0]/

export const escapeFormula = (cell: string): string => (formula.test(cell) ? `'${cell}` : cell)

export const removeFormulaEscape = (cell: string): string => (escaped.test(cell) ? cell.slice(1) : cell)
