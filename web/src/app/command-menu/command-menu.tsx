import { Autocomplete } from '@base-ui/react/autocomplete'
import { CSPProvider } from '@base-ui/react/csp-provider'
import { useNavigate } from '@tanstack/react-router'
import { Search, X } from 'lucide-react'
import { type KeyboardEvent, type MouseEvent, useMemo, useRef, useState } from 'react'
import { useStore } from '../../api/store.ts'
import { noteOpenedRecord, recentRecords } from '../../patterns/recent-records.ts'
import { listCommands } from '../../session/commands.ts'
import { commandTexts } from '../../texts/en/command-texts.ts'
import { stateTexts } from '../../texts/en/state-texts.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { Kbd } from '../../ui/kbd.tsx'
import { useModal } from '../../ui/use-modal.ts'
import styles from './command-menu.module.css'
import { EntryContent } from './entry-content.tsx'
import { groupEntries, type MenuEntry, type MenuGroup } from './menu-entries.ts'
import { useRecordSearch } from './use-record-search.ts'

export function CommandMenu({ close }: { close: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null)
  const highlighted = useRef<MenuEntry>(undefined)
  // Taken before the dialog opens; the page behind it does not change.
  const [commands] = useState(listCommands)
  const [query, setQuery] = useState('')
  const { found, error, isSearching, retry } = useRecordSearch(query)
  const recent = useStore(recentRecords)
  const groups = useMemo(
    () => groupEntries(query.trim(), { found, recent, commands }),
    [query, found, recent, commands],
  )
  const openEntry = useOpenEntry(close)
  useModal(dialog, close)

  const openInNewTab = (event: KeyboardEvent & { preventBaseUIHandler?: () => void }) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || !highlighted.current) return
    event.preventDefault()
    event.preventBaseUIHandler?.()
    openEntry(highlighted.current, true)
  }
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes the dialog, the click is for a pointer beside it
    <dialog
      ref={dialog}
      className={styles.dialog}
      aria-label={commandTexts.title}
      onCancel={(event) => {
        event.preventDefault()
        close()
      }}
      onClick={(event) => event.target === dialog.current && close()}
    >
      <CSPProvider disableStyleElements>
        <Autocomplete.Root
          inline
          open
          mode="none"
          items={groups}
          value={query}
          onValueChange={(value, { reason }) => reason !== 'item-press' && setQuery(value)}
          itemToStringValue={({ label }: MenuEntry) => label}
          autoHighlight="always"
          keepHighlight
          onItemHighlighted={(entry) => {
            highlighted.current = entry
          }}
        >
          <div className={styles.query}>
            <Search size={17} aria-hidden="true" />
            <Autocomplete.Input
              className={styles.input}
              placeholder={commandTexts.placeholder}
              aria-label={commandTexts.title}
              maxLength={100}
              autoFocus
              onKeyDown={openInNewTab}
            />
            <Kbd keys="Escape" />
            <IconButton className={styles.close} label={commandTexts.close} icon={<X size={18} />} onClick={close} />
          </div>
          <Autocomplete.List className={styles.list} aria-label={commandTexts.title} aria-busy={isSearching}>
            {(group: MenuGroup) => (
              <Autocomplete.Group key={group.value} items={group.items}>
                <Autocomplete.GroupLabel className={styles.title}>{group.value}</Autocomplete.GroupLabel>
                <Autocomplete.Collection>
                  {(entry: MenuEntry) => (
                    <Autocomplete.Item
                      key={entry.id}
                      value={entry}
                      className={styles.item}
                      onClick={({ ctrlKey, metaKey }: MouseEvent) => openEntry(entry, ctrlKey || metaKey)}
                    >
                      <EntryContent entry={entry} query={query} />
                    </Autocomplete.Item>
                  )}
                </Autocomplete.Collection>
              </Autocomplete.Group>
            )}
          </Autocomplete.List>
        </Autocomplete.Root>
        {error && (
          <p className={styles.note} role="alert">
            {commandTexts.searchFailed}
            <Button size="small" onClick={retry}>
              {stateTexts.retry}
            </Button>
          </p>
        )}
        {groups.length === 0 && !isSearching && !error && (
          <p className={styles.note}>{commandTexts.nothing(query.trim())}</p>
        )}
        <MenuFooter isSearching={isSearching} />
        <span className="visually-hidden" role="status">
          {query && !isSearching ? commandTexts.count(groups.flatMap(({ items }) => items).length) : ''}
        </span>
      </CSPProvider>
    </dialog>
  )
}

function useOpenEntry(close: () => void) {
  const navigate = useNavigate()
  return (entry: MenuEntry, isNewTab: boolean) => {
    const path = entry.kind === 'record' ? entry.record.path : entry.command.path
    if (entry.kind === 'record') noteOpenedRecord(entry.record)
    if (isNewTab && path) {
      window.open(path, '_blank', 'noopener')
      return
    }
    close()
    // The command runs after the dialog has returned the focus, because it may move it.
    setTimeout(() => (entry.kind === 'record' ? void navigate({ to: path }) : entry.command.run()))
  }
}

const MenuFooter = ({ isSearching }: { isSearching: boolean }) => (
  <footer className={styles.footer}>
    <span>
      <Kbd keys="ArrowUp ArrowDown" /> {commandTexts.move}
    </span>
    <span>
      <Kbd keys="Enter" /> {commandTexts.open}
    </span>
    <span>
      <Kbd keys="Mod+Enter" /> {commandTexts.newTab}
    </span>
    <span className={styles.end}>{isSearching ? commandTexts.searching : commandTexts.onlyReadable}</span>
  </footer>
)
