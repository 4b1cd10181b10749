import {
  type UseComboboxGetInputPropsReturnValue,
  type UseComboboxGetItemPropsReturnValue,
  type UseComboboxGetMenuPropsReturnValue,
  type UseComboboxState,
  type UseComboboxStateChangeOptions,
  useCombobox,
} from 'downshift';
import {
  type ChangeEvent,
  type FocusEvent,
  type KeyboardEvent,
  useEffect,
  useEffectEvent,
  useRef,
  useState,
} from 'react';
import { useInputBeforeHydration } from './use-input-before-hydration.ts';

export interface ListComboboxOptions<Item> {
  inputId: string;
  items: Item[];
  text: string;
  disabled: boolean;
  /** Loads what the list needs. Called when the list is likely to open. */
  preload: () => void;
  /** Whether `resolveText` can work. When it turns true, a text left earlier is resolved. */
  isReady: boolean;
  /** Whether Enter picks the first item if none is active. */
  enterPicksFirst: boolean;
  onText: (text: string) => void;
  onPick: (item: Item) => void;
  /** Picks the one item that the text names. Returns false if the text names none or is ambiguous. */
  resolveText: () => boolean;
  /** The visitor left the field with a text that names no item, or pressed Enter on it while the list was empty. */
  onUnresolved: () => void;
}

export interface ListCombobox<Item> {
  isOpen: boolean;
  /** Whether the visitor left the field, or pressed Enter, with a text that names no item. */
  isUnresolved: boolean;
  inputProps: UseComboboxGetInputPropsReturnValue;
  /** For the listbox, which must always be rendered; `name` is its accessible name. */
  listProps: (name: string) => UseComboboxGetMenuPropsReturnValue;
  optionProps: (item: Item) => UseComboboxGetItemPropsReturnValue;
}

/** The key code of key presses in a composition. */
const COMPOSITION_KEY_CODE = 229;

/**
 * The behaviour of both autocompletes. A visitor picks an item, or leaves a text that names one. Escape closes the
 * list and clears nothing. The caller keeps the text and the selection.
 */
export function useListCombobox<Item>(options: ListComboboxOptions<Item>): ListCombobox<Item> {
  const { inputId, items, text, disabled, isReady, enterPicksFirst, preload } = options;
  const { resolveText: pickNamed } = options;
  const [isUnnamed, setUnnamed] = useState(false);
  const combobox = useCombobox<Item>({
    inputId,
    items,
    inputValue: text,
    selectedItem: null,
    stateReducer: nextState,
  });
  const { isOpen, highlightedIndex } = combobox;
  useInputBeforeHydration(inputId, text, (typed) => {
    preload();
    options.onText(typed);
    if (document.activeElement?.id === inputId) combobox.openMenu();
  });

  // A field that had the focus before hydration fires no other event.
  useEffect(() => {
    if (isOpen) preload();
  }, [isOpen, preload]);
  useEffect(() => {
    if (!isOpen) return;
    const makeRoom = () => makeRoomBelow(inputId);
    makeRoom();
    visualViewport?.addEventListener('resize', makeRoom);
    return () => visualViewport?.removeEventListener('resize', makeRoom);
  }, [isOpen, inputId]);
  const afterPress = useAfterPress();
  useOnceReady(isReady, () => {
    if (isUnnamed) pickNamed();
  });

  function pick(item: Item) {
    setUnnamed(false);
    options.onPick(item);
  }

  function reject() {
    setUnnamed(true);
    options.onUnresolved();
  }

  function pickByKey(event: KeyboardEvent<HTMLInputElement>) {
    if (event.key !== 'Enter') return;
    // Enter may end a composition, which Safari reports only by its key code.
    if (event.nativeEvent.isComposing || event.keyCode === COMPOSITION_KEY_CODE) {
      Object.assign(event.nativeEvent, { preventDownshiftDefault: true });
      return;
    }
    const active = isOpen ? items[highlightedIndex] : undefined;
    if (active !== undefined) return pick(active);
    if (!enterPicksFirst) return;
    // Do not submit the form with a text that is about to be replaced.
    event.preventDefault();
    const [first] = items;
    if (pickNamed()) return;
    if (isOpen && first !== undefined) pick(first);
    else reject();
  }

  function readText(event: ChangeEvent<HTMLInputElement>) {
    setUnnamed(false);
    options.onText(event.currentTarget.value);
  }

  function leave(event: FocusEvent<HTMLInputElement>) {
    // The input stays the active element if the whole window loses the focus.
    if (event.currentTarget === document.activeElement) return;
    if (!pickNamed()) afterPress(reject);
  }

  return {
    isOpen: isOpen && !disabled,
    isUnresolved: isUnnamed,
    inputProps: {
      ...combobox.getInputProps({
        disabled,
        onChange: readText,
        onKeyDown: pickByKey,
        onBlur: leave,
        onPointerEnter: preload,
      }),
      'aria-labelledby': undefined,
    },
    listProps: (name) => combobox.getMenuProps({ 'aria-label': name, 'aria-labelledby': undefined }),
    optionProps: (item) => combobox.getItemProps({ item, onClick: () => pick(item) }),
  };
}

/** Where a phone's keyboard leaves less space, the field moves to the top, so that its first options are in view. */
const MIN_VIEW_HEIGHT = 480;

function makeRoomBelow(inputId: string): void {
  if (visualViewport && visualViewport.height < MIN_VIEW_HEIGHT)
    document.getElementById(inputId)?.closest('.field')?.scrollIntoView({ behavior: 'instant' });
}

/** Calls `onReady` when `isReady` turns true. */
function useOnceReady(isReady: boolean, onReady: () => void): void {
  const run = useEffectEvent(onReady);
  useEffect(() => {
    if (isReady) run();
  }, [isReady]);
}

/**
 * Runs work immediately, or after a press in progress: a new message would move the pressed element, and the press would
 * not count as a click.
 */
function useAfterPress(): (work: () => void) => void {
  const isPressed = useRef(false);
  const waiting = useRef<(() => void) | null>(null);
  useEffect(() => {
    const press = () => {
      isPressed.current = true;
    };
    const release = () => {
      isPressed.current = false;
      waiting.current?.();
      waiting.current = null;
    };
    addEventListener('mousedown', press, true);
    addEventListener('mouseup', release, true);
    return () => {
      removeEventListener('mousedown', press, true);
      removeEventListener('mouseup', release, true);
    };
  }, []);
  return (work) => {
    if (isPressed.current) waiting.current = work;
    else work();
  };
}

function nextState<Item>(
  state: UseComboboxState<Item>,
  { type, changes }: UseComboboxStateChangeOptions<Item>,
): Partial<UseComboboxState<Item>> {
  const next = { ...changes, selectedItem: null };
  return type === useCombobox.stateChangeTypes.InputClick
    ? { ...next, isOpen: true, highlightedIndex: state.isOpen ? state.highlightedIndex : -1 }
    : next;
}
