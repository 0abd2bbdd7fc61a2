import './memo.css';
import './view.css';
import './widget.css';
import './panel.css';
