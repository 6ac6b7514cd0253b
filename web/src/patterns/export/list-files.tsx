import { useNavigate } from '@tanstack/react-router'
import { Download, Ellipsis, FileUp } from 'lucide-react'
import { useState } from 'react'
import { useCommands } from '../../session/commands.ts'
import { exportTexts as texts } from '../../texts/en/export-texts.ts'
import { lazyPart } from '../../ui/lazy-part.tsx'
import { MenuButton } from '../../ui/menu.tsx'
import { parseColumns } from '../list/list-columns.ts'
import type { List } from '../list/use-list.ts'
import type { ExportFilters } from './export-api.ts'
import type { ExportType } from './export-columns.ts'

const ExportDialog = lazyPart(() => import('./export-dialog.tsx'), 'ExportDialog')

type FilesProps = {
  type: ExportType
  list: Pick<List, 'definition' | 'search' | 'pages'>
  filters: ExportFilters
  canImport: boolean
  canExport: boolean
}

/** Brings records of a list in from a file, or writes those of its filters to one. */
export function ListFiles({ type, list: { definition, search, pages }, filters, canImport, canExport }: FilesProps) {
  const navigate = useNavigate()
  const [isExporting, setExporting] = useState(false)
  const importFile = () =>
    void navigate({ to: '/imports/$type/$importId', params: { type, importId: 'new' }, search: {} })
  const exportList = () => {
    setExporting(true)
    // Without an exact number the dialog only lacks it.
    if (!pages.isExact) void pages.count().catch(() => {})
  }
  useCommands([
    {
      id: `${type}:import`,
      label: texts.importRecords[type],
      group: definition.texts.title,
      isAvailable: canImport,
      run: importFile,
    },
    {
      id: `${type}:export`,
      label: texts.title[type],
      group: definition.texts.title,
      isAvailable: canExport,
      run: exportList,
    },
  ])
  if (!canImport && !canExport) return null
  return (
    <>
      <MenuButton
        label={texts.menu}
        icon={<Ellipsis size={16} />}
        variant="quiet"
        items={[
          ...(canImport ? [{ label: texts.importRecords[type], icon: <FileUp size={15} />, run: importFile }] : []),
          ...(canExport ? [{ label: texts.title[type], icon: <Download size={15} />, run: exportList }] : []),
        ]}
      />
      {isExporting && (
        <ExportDialog
          type={type}
          count={pages.isExact ? pages.total : null}
          filters={filters}
          shownColumns={parseColumns(definition, search.columns)}
          close={() => setExporting(false)}
        />
      )}
    </>
  )
}
